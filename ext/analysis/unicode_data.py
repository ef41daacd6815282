"""Unicode tables, written by tables_generator.py. Do not edit."""

from base64 import b64decode
from zlib import decompress


def unpack(text: str) -> bytes:
    """The bytes of a table."""
    return decompress(b64decode(text))


# block number by code point >> 7
WORD_BREAK_INDEX = unpack(
    "eNpjYGRiYmJmYWViY+fg5OLm4eXjFxAUEhYRFROXkJSSlpGVk5dXUFRSVgEqU1VT19DU0tbR1dM3MDRiMmZiMjE1M7ewtLKytrGy"
    "tbKzd3B0srJytrKycrFicnVz9/D08vbx9fO3Cgi08iIdBHkNAcAEA8FMTCGhYeERkVHRMbFx8fK0AQlWFAMvr8Sk5BQmptS09IzM"
    "rOyc3Dyr/IJCpqLiEiam0rLyisqq6prauvqGRiurpuaW1rb2js6ubqueXqu+/gkTrSZNnjJ12nQrqxkzZ822mjN3HtT38xcwLcRm"
    "2SJY8Cwm4CqQmiWUew5sztJly1eA2CutVq22GliwZu269VglNmwkRvsmIN68ZSuQ3LZ9BxPTzl27QaJ79sLk91ntP3DQyuoQkHkY"
    "LHCE6egxuO7jJ6ysTp48dfrMyZNnT548d/L8yQsXL12+cvLkSaurJyHgmtcooB64TkjBDa+bpJh3i2yX3Mad+7287qDxCYO7hBTc"
    "sxoFo2AUjIJRMApGwSgYBaNgFIyCUTAKRsEoGAWjYBSMglEwqMB9qwcPR0NhFIyCUTAKRh4AAFbrCJU="
)

# value by code point & 127, block after block
WORD_BREAK_BLOCKS = unpack(
    "eNrtXIli2zYMfeuUmRZTe1vqbN3x/785iyJF8L4lJR2aJrZIAcRBEAQPIAU/fXn++hn4ggkv+GWDyySKWRCW0muiPB/mZ30+r58Z"
    "LsuvCPkI2azyDw+g0gGCsuI7g5L+2ppJtfMinmIvVVGcoC07v15z1S+EXCC8SRpJkTbx/Lf+qG76GgZVzC6kW0s8AqbJIC+QFojG"
    "28KvG+Dr9MTGd9GRZkGalvzImG6P1JIJPNXAmDLGOTXagc0GG/xkIlkYnxbWg00WtXT97Zs7LMSoWeXR+ticgdkNGs0v3yfW6MRD"
    "kzk4F45IL/DJiXgNFhLRNpYwKUVhrMry1v/aOKTs4dCnwz7D+ha0fnLoqx/I7rWqa8WEzRNtbTWtVEiGmw4IBpEs+ib/oiErfebY"
    "pyX/rYC8WSZ/lz7lX/EUkL/TwCcWLX9FR74M9WktMZu29RJJkFP+echLONSpsUbE7z6n/Gv6EimUdw3Kn6gBhfSRQR+bApz+x23+"
    "c8zP6wAc+puPI70gxL+OfuANH9MRCBiNMDkZzjn0oGTr3/Lit0K4P39WoK/f1bOwpgNwu+G2Ygk2BbRI07/fb1BvwkdfFCUgNAvy"
    "SU4XgitxF8WFofhO4TEfZYR/hruvghLNe+Bmy0dXlX/Ff/UuKfKivd01vrVibsSnlFkayv96MPSdmIBECcb30vdb6aATH21TcG/E"
    "Go9fs+PbxqYl3fznTIqUzKd7y98zG/HhNxxreGITeT9oP6AznLrhN+SIKSxoBe47SsZje74+0P4t+edMwXhPe8ju37CHW+/wS6Qc"
    "15yKV+r0H6/vtGQNrgr9H51M19onMVAkDNWxN388oXnMjYhyoSYBEEwgRGda8DYySd0iVJDvCba4dHyLCdrgl5W2j9AvH2/VpNgW"
    "MoJJHq5cCaNztV6ZuY65Jx0flMYTJCLOSD9X8m/nomCOsDASSp4RHf5gi/+m7erlRT9/frzI7nM1lqSA6/Jgkl8UXO1ORyzCmvDF"
    "472K+ZRHxb/HPRRzZi5bio+tjGlVkkpvSta0LkN1/ErlKsBe/5vxY4HJ8Gju59FoZg3yawMZajhv5QbWrI+5h9yEKKREZiqeeXfw"
    "qmlX+gb/SqqzFvAc8QSzLJbvrSgslko1E1LwPKTbtHiGLgjnXmTmQqnsvBlCrj6W0q/K73mnm87iS8JZuas/ZX953wkL623L34IQ"
    "KWqEPPofGYq1+i2toNVe5scC4jFjSz9/HwJLIPt4PD88xgFWTgonfWPT8cX+sbS/OUIIufHKMaZGB0OU2+x/hvQ09J7vtY2nLn27"
    "hn/nRvX47cyGk0vc3XcynScsGRHl6E1/uaxxlZjiqVws7yQoM1/RI+cV3mkSynhh3SHJ8/KFyS12wZgq5e2b07+WOrz5a7Lgba0U"
    "oJUqtRvfTpN4lr4ita/W8yWK2/0W3Vrg2rHlBPwJzFT83boje08gWzpc/ZQGJZEqVcHO3nHx2WJwj0vUD1452T1t7qWWv/EqfxTs"
    "NZk+x9jZn3gthpr4zB2f/vhzAi5TJJ8Puebghev1upzRmS4J+jhNxML1EgvE+SLtn3qeL6qdRXCedmHqg+dvYqHGsYf0ipf1DAnr"
    "PXWg2yV/dBzlDpA6slHDn0uiSX4FlQv0oWPIHt6Y4kGhglOYa/Yj9a5HOWo194hPgd+vxKod1H/d+Dy5vypOv6AZGOG/gLIxWZ7J"
    "CB9/Tck3e//ZAP0i3b4c+8Bx4weZzTXTVxMzkgtIHwPZwgfexF9GeS5+VCbdxuyfjNtfnP6+IcDR0VQrpT3eD+7321X+ay/tah+p"
    "3J9n3TWZnCvmt2wVuNT2UpzVHn8tW8Ym5z/FooIxva6lq4685cXz4fx0RfbVxEI5ysFFl/Er5O+m05UkQffvM7Aqe0IW4W37BO/S"
    "/939jXZb6te7jCb71icqz/9y3/lf4/ztNvjqFti9pUfnI1Zg8ceTA1M7abGjh9WOD3XkA5vpLbw5frWZf2tTzkD+TZl3Go+jx03c"
    "c0XGSRfy+i7xV+tZjyPiw4R+iOcxYnnEZaD8zXJdiSmIUfFZtiTsHrrcxpKYfxVew0Fv2nDSbKz6Xo9Exx40X8hJPvvXEr3XwWTo"
    "P7kkELhpaEzfyzB5bweAuvpI2kKI/3z0W8fq6l+PhsR0TgQxmeGf28Xh2sJoebHd/PsHyz9UZilOs5C0lzx6x3+NocnRa3ndxq9A"
    "rcHnyQvxt8+/PPuvWML/FS3WfYLx5cj1bF57IDeUj2qXjxn/fv9+rL7opm8sP+//QwzcrezvUfmKsxMPj8xPslkruP7ktEf0Boye"
    "aJf20l73Puy7z4SGy2Gm0khOytzZxg/0wyMTM3DT0+ixKZlicBdzkX5HNQXozHvuPiBUa+HTvUmjv1xoCFeqgxx71wKPea3BjjZz"
    "m8ew0Dh43SItQu5+ueZp2u4evrT5ZmrVnu+wwe3hzesHw/NTB9MP51f9G5Z7Zx9K3UQP8jQVXrP+hkQIYG0PVFdbM5KR3K7o0fW3"
    "Z7CiBxhIIqpQDUSsvBHmg8FuTKq5eUOFv3yh92ZcV0O/CfRUIB2F9VcQ3sM3wXj5J42AUX/+cPD3An2s5zxMfYSc3fD2VsqrpT2h"
    "m5Tq39/HWzZgR48rq/a2PXt8Prq3Hn0KtRXz5zmvmyfBz3YV0NjbTdLQm9OT3ayUkQCIF/8zFv7lPxjY8v0Pv0URyw=="
)

# block number by code point >> 7
KIND_INDEX = unpack(
    "eNpjYGRiYmJmYWViY+fg5OLm4eXjFxAUEhYRFROXkJSSlpGVY2KSV1BUUgYqU1FVU9fQ1NLW0dXTNzBkMmJiMjYxNTO3sMQCmKys"
    "bWyBtJ29gyOYTzowYhpKwImJydnF1c3dw9PL28fXj0a2+FtSDJiYAgKDgpmYQkLDwiMio6KBQjGxcUzxCYlMTEnJKalp6RmZWdk5"
    "uXmWlvkFhUXFJaVl5RWWlVWW1TW1dZb1DY1NzS2Wlq1t7R2WnZZdUHd1WzL1YLOsF+bwPoKuYmLqt6SG75iYJkyc1AZiT7acMpXE"
    "8J0GZ02fQQXXWM5kYprFxDQbU2LOXNIMmjd/ARPTwkWLUUWXAPFSS8tlcIHlTCtWwjmrVuM0bg1yeI0CKoG1hBSsY1pPinkbyHbJ"
    "Rnz5YxManzDYbDkKRsEoGAWjYBSMglEwCkbBKBgFo2AUjIJRMApGwSgYBaNgFIyCUTAKRsEoGPwAAPKX4hs="
)

# value by code point & 127, block after block
KIND_BLOCKS = unpack(
    "eNrlXAdu5DAMHC7u/28+JFnbKhSbKNmbCAfcwkWFdVgc4D1eXwPVYC7h3zneF2g4bPfNg5qfJE0vLGu6/0GjpUJDteISwUvz/HFQ"
    "/+fXsaFvfoDnygpWgaHXh3DbKhTkPFUmf2VBzZrPdILaXu1R/E7NLg2kaz8ll0rTNsGmpTamN8M1fe2TkGq/64UIGFoubbX2iqJX"
    "EyRdojPyejT2kvW+Ci2Q3AdOwzw2PD/cGKxPrdh36xMxT5c70dc//ulEPVcorQDDqmoR0/oq/WtZ71BT/aCP/uL6Gv2ZdwrZP9Z5"
    "v4zj10E1Xd4tVnioAAL5CTb5L6b8vj+kfwUlfetb6X/JaaV/iIif5ONb6tegZnR+0SjqlvKtXjbjJ/A/AICY162SxvMIMrRCw/yS"
    "3K3DbyyN6hUmKNepzoyLysSAG/EdtfTpoCbV+KsLl2ppAj+fEfGR7zz5gQFQi6wH/xuft62DpHMkgVa7/O2B1IBqZn/jYE77UviX"
    "HsSM4wNOAlSxct1nsOciwT4jKK8/jNm/+CHIqu7IlAcz/eGlmkkBgvy3pFO9/NZj9VWWl9/vYP/0FBAiJgki+BOehE+TP0pgyCw7"
    "q/OSd39l7BPAgx5RK5M8RfC2BWS4mX/hAy+eKGMW6GWQoH43uSDUUWOLwjuPXjz/+hnoK01tLSpE3pcScMl4b08E1EUOZ4rtqo4c"
    "OLvjXR28UUwE8XfHthIdisSae/1QfMnCraD/D/+/Qlkyx8urAaUhWxkgNqZyVSnR7XR3aIpDP1L1fbs96f1N+wRfOUmDrmvwwTxh"
    "03cQyU1EDlmkk60Zp1MVd5V8Z2eYyVeXma8vYtniBbu/iuh74vH5fDR4fXZWe4Z1rkGlV6FXLPl45tPPEhTJJTiO2pw4dIlREX8E"
    "XNVtXT7T+TUjXgtt7PYE8D4oIdmHAcLDSJpwVT+wuZvwGSHNaC93SUgEn93Z//iQeozuv631FHH2lScYORBjocQW24C/BkV68SRl"
    "9dfXok4lMV5SH0bEv9uT714/mhsvxvFCtv/PijcEnQKvV9Jjt+X/1Pw9UxqSoqEIqk3Mf+p9x73pk9KRafXFFfyFvj+LfNybf85K"
    "3dOgTJaVKJvyL475EZxnFjgF7rv6Rz6m/rFv/e3v+/Jbq86/plhnFXOrvPvXS9jvRH/LhhaXvv97QoTD/BzLb2DZ5qsqVT643GO8"
    "A7x3WGwnFigmj4s9Pp9/4ksASM9Vs/arDHeQ+P2LgWqJaSfufOnrDxooKOofVpkd68Mp55/wj2G/neSPvbQexONb8Ncn9sdYv/xC"
    "1bsmfIvTih5564+x85spAW2HQ91xigGp8dy0Zi/I7w/9GWKbpGD9+Sk6ZhB5wwZJsU+W6bHEvj6wv+9RDWh3S+KNof899ZBN+Gvz"
    "efevb8zfLv6eyDl/Pv415IfE4tvj9cVbT0xWifnJFPx1c+l9W2Ffb7T8E0MoNKbYVhr0MD9QX3f3f7HKPfYnH1b/MDaSeOc5/4hJ"
    "Ny9CTZHChvtiGvR3jq0AyWe39mEgzIVf92aJPqzj7pTTXNmVqUQs3c98/m53PN0oK5ZYqmfEnyH6akR4A8iuExjF365E8Ynm9fx5"
    "DdTBjmISgRUnoJDuf9jY9vclZuulOfHvOr+3PVJ5Hn7NEIC7s8G3BH3F+A92xTzf"
)

# block number by code point >> 7
LOWER_INDEX = unpack(
    "eNrtz1cOglAQhWGKhyJFaVIUUNn/Hkl4ILlRFkDu/z1MpmSSGcf1/IuCMIqv+ivZYvrTz6T8di+kstrq2hw3D1mn7frhXBc/9+w1"
    "TrMxeh+sfM7z3Vc2WgQAAAAAAAAAAAAAsM8KLjqrww=="
)

# value by code point & 127, block after block
LOWER_BLOCKS = unpack(
    "eNrtlwdXwjAQgI84cODAUbcMUVChMtwbxb3//58xaYKktWkvEPvKe35XXnK96+Xa3pUWoEcSSiAKVGtjcyCaMiDGXwbNOIPiKBhi"
    "wzCBZJJqI6NjdDYOqQlmSk3CFHebphvwMZ1mO2aIkztnlogNkRN3m5vH5mn5xXBYILC4xJZYXln12v4JqrfOnYM1PqxDJpOBLORy"
    "oCxlVEPlw+qascHMBTq3LGvTQyKEbs43WLrtRC5bPXWhvkARhbF6KaGAEnc2X6/bhsk7qNfbweM4m+jH+Emb3chWKgvcOoTY1f5Q"
    "FqLw94KLL+uVii0dv0exXfGqVXf8Wq0g6fV6o2Gjq2Sf/g4O+fxIq76OPfiWYN9xokQ3UlET/f4+PTtvt/nF5dU1/5MQNJsRdrOY"
    "EuPvE/rdjjs+Pm9Mck5mnneOcuPaT+AWAtZo3d0/tODx6fnFa3l9e/8JTeRbrT6l2HxffSCJy5Onn3L147ODPJd1OkaXT1afSK+X"
    "6e+RuOX3Fcrf5v8NiTuIYQ=="
)

# block number by code point >> 7
UPPER_INDEX = unpack(
    "eNrt0WkKgmAQgOFMrbQxzT3LJXfvf0HBIJDyAPK9z49hFgYG5qAddcM8nS+WfZV/nCXefvqud/eDMBKJk6VO1+NH9hTVvPKi/GTV"
    "ex8X19+saaVbjfqNlWE//xhFRZMAAAAAAAAAAAAAANQzA09QmXU="
)

# value by code point & 127, block after block
UPPER_BLOCKS = unpack(
    "eNrtmAdbwjAQhj+1roq4cCJOVJwIDgQVB25BlhPn//8VlrbpopWGDuqjb2iTS47LNXdtA4DDtBjSuM1Wy9OT/jYwlKVdrGsGKO0I"
    "VUcniCQc/LmrWnVzJxaytjAk6EmNHuErPvJRl17deX2SEVN+6vYRT/1+4plY+voHBocQCGAYI6PcQGAM45gIYjIUnJoGQpiZBeZE"
    "A/NAGAthrrUYXopElvnOFTl4q2v4FaxT6DJSqFmWpZtmIxqN1ib0ptSKxePY2uYUd3YTRvHcS6b2cSClko23s0BSg6kMk1eGvqjF"
    "wwatUMxHSdoU+McejszDKzfLzwQPcHxymsmcnV9c/rVAXXHHtbbzxn0/GE+WKrdu+JcVIcuhloisHTfWR1YsBvq53B1HPl8oFIul"
    "kln7ShllebL76qmsDKfKFyKnVF1l55Lpoa7GowagwRexR3kyxB77aUr4xX1+Ub681Vsft+5maeunDnfFFKgIyh4MuNXdk517LTeu"
    "EHbtHzWbV0i/8ZhX1FkNnRFlditFo0tykLefBt9tpunZ4cT/Gzp8mMQrjwWLvn7KKNtKmas9cJ0xelxKPweSsCn+fdXFin/fnKPS"
    "XA=="
)

# 55 states of 32 classes; 0: no way on; 1: start
TRANSITIONS = unpack(
    "eNqNVYl2mzAQ3GeWwwkYcA0F3EJLjWnU9Kb9/0/rakCxZJMm8xgx0iJ5pVkw0UvYCD1iP6Aw2m7v7ilOdilRkuUrD25os0fnjajN"
    "BvJwOETEBXlhRB57JctY9NYjz/MQr6iqK26Iw5pYQ8Z0OytA5vvky3yffZ/pSL7vgzYC8F2AzvuAgkDLlrpl/VDWDzkM9aphGIJ2"
    "fpGsH3EUIb8oAm1s5drqS2uorZP/nax/J9Dz5QZepSe4N+IJZn4s82P+EGP/H2OK49h5LgGTBDpJwAsa2km7o91ubmfaSME0hU5T"
    "0EYGZhl0lvXZLJ+Qg59y08tztwL24H7xX6v9Wj2dVsZw0Ae5HcSNxRPw4n9BhfhTcFFo/4uiAG3/SomXXC71VVJZlmv+Dqv+ymAF"
    "VvpGVVWBGufzWQqzoVr8qbmudbyua3AB4o3EG24anV/TNKDtz1HaIx2PczvTwmjqd3Tq9xqfL/LBjbSdrva2hW5b0M6vk/w67jqd"
    "f9d1oFV/o6k/dVV/7vv55fJ+PrLz+z3Y99B9D9r7M/UzPlM/J/B0Mr3TIo1/g/g38LD4N9AwDJf9aZ/kdha3Fs9AJwHw6/zz30Ya"
    "x/E6LPhuBOUvfRkffjjno+R8FP9UOJ9fipRSzvnO5/eb1XJ+0/J9e/b79/jHyc/kP67nf1sfRP/d32th8jf7U+v7u60Pd383+7+K"
    "0yTxif9O8/yJpml61f+DWd/MV/b8f3rqNtA="
)

# rule that a state accepts, 255 for none
# fmt: off
ACCEPTS = (
    255, 255, 255, 1, 4, 255, 0, 4, 1, 5, 2, 255, 0, 6, 3, 7, 255, 0, 0, 255, 255, 1, 0, 1, 255, 4, 4,
    4, 0, 0, 255, 4, 0, 0, 0, 0, 0, 0, 255, 0, 255, 255, 0, 4, 4, 0, 0, 255, 0, 0, 0, 4, 0, 0, 0,
)
# fmt: on

# what to add to the code point, by value
# fmt: off
LOWER_DELTAS = (
    0, 32, 1, -199, -121, 210, 206, 205, 79, 202, 203, 207, 211, 209, 213, 214, 218, 217, 219, 2, -97,
    -56, -130, 10795, -163, 10792, -195, 69, 71, 116, 38, 37, 64, 63, 8, -60, -7, 80, 15, 48, 7264,
    38864, -3008, -7615, -8, -74, -9, -86, -100, -112, -128, -126, -7517, -8383, -8262, 28, 16, 26,
    -10743, -3814, -10727, -10780, -10749, -10783, -10782, -10815, -35332, -42280, -42308, -42319,
    -42315, -42305, -42258, -42282, -42261, 928, -48, -42307, -35384, 40, 39, 34,
)
# fmt: on

# the same for upper case
# fmt: off
UPPER_DELTAS = (
    0, -32, 743, 121, -1, -232, -300, 195, 97, 163, 130, 56, -2, -79, 10815, 10783, 10780, 10782, -210,
    -206, -205, -202, -203, 42319, 42315, -207, 42280, 42308, -209, -211, 10743, 42305, 10749, -213,
    -214, 10727, -218, 42307, 42282, -69, -217, -71, -219, 42261, 42258, 84, -38, -37, -31, -64, -63,
    -62, -57, -47, -54, -8, -86, -80, 7, -116, -96, -15, -48, 3008, -6254, -6253, -6244, -6242, -6243,
    -6236, -6181, 35266, 35332, 3814, 35384, -59, 8, 74, 86, 100, 128, 112, 126, 9, -7205, -28, -16,
    -26, -10795, -10792, -7264, 48, -928, -38864, -40, -39, -34,
)
# fmt: on
