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
    "eNpjYGRiYmJmYWViY+fg5OLm4eXjFxAUEhYRFROXkJSSlpGVY2KSV1BUUgYqU1FVU9fQ1NLW0dXTNzBkMmJiMjYxNTO3sLS0srS2"
    "sQQCWzsgYW9p6eDI5OTs4upm6e7h6eXt42tpyUQ68GMaSsCfiSkgMCg4JDQsPCIyKppGtsTEUgyYmOLiExKZmJKSU1LT0jMys7Jj"
    "c3LzmPILCpmYiopLSsvKKyqrqmtq62Jj6xsam5pbWtvaO2I7u2K7e3r7YvsnTJw0eUps7NRp02fEzoydBXXX7DlMc7FZNg/m8PkE"
    "XcXEtCCWGr5jYlq4aPE0EHvJ0mXLSQzfFXDWylVUcE3saiamNUxMazEl1q0nRvuGjZabNm/ZGrstdvuOnUxMu3bvAeWyvftg8vuB"
    "+EBs7EG4hkNMh49AWEePxR4/ERt78tTpM2djLSHg3PkLFy9ZWl6+YnkVObxGAZXANUIKrjPdIMW8m2S75Ba+/HEbjU8Y3IkdBaNg"
    "FIyCUTAKRsEoGAWjYBSMglEwCkbBKBgFo2AUjIJRMApGwSgYBaNgFAx+AACghxuY"
)

# value by code point & 127, block after block
KIND_BLOCKS = unpack(
    "eNrlHNuS7CgIp/aBR///azcm0Sgq4DWZOc5UdToxIgjIzQa4249rkLTzFiJaPNv58V9oxw173DLVdr5imefHUxCbg3LAsfboD+4S"
    "4Lg8rg26p5WxGbCq57+oOZrQ70+Lbx1YW9pgc/PUv67QuHtubY8vYKCEH6ygWXwdz+zzTTnNA51LaNUDI7qFaOQHPP7uf5mK/jFi"
    "Ns6pSdy/TQdvmP81ftZifeVG27HMGKZiPVHuS2Oe+Zxyea+SbwDSBGXhWsJ1EYwaffWDHIi7tbgkv84qCUj/DQnBeGjJc5ZEtkLe"
    "QfbT68SeNSnANNmYjmaRFNSk8tYapjYdCJ/3CyX4huAFN4CYS7yMO+ZPJuslRYLv/2Wihvk88M8HgJUFgLqGTeGL9I9okGohW+jY"
    "Rn8WvkR/W2Dxh/4ezv0y+CuA8Fzgd0kLX8qemB4K8uf3efwvaub0D3vLzYQmNiKV8LX0f/g0gs/pGGgyd0ryZwPuERkK+DvMOaXI"
    "aKV4uqGXQIgUPo4ov5SAlsBP/BOl8vUCwGAMZfge/2ghiKYRdwVzmj5Jc86O9WJSWLnDlHB/t73QYhfWzTjo28KCKIePC4MTqdl7"
    "X/H11L7z9iKke5QxqThUhzWEU63VMmXCD1ozcbpjAJCybMN8tP11cGASHsNGa2Raq/iPesar7Olgm5l/qNkc2x/eI51Jf0wGrOof"
    "ST2dTMV0YPgLci026I2V1fmhBp0WNuWdn/ZNJIT2X+1SGq24g5k4HzX95R0QUv9KJfed68/3L1laVmw83ohmBYNWLcP8+82bhlXi"
    "U4KSA+hFD6g9goVQa7hzIdQAjMSPBhdEGx8ERnUk62Va5xfB77EHL6VOOQOZeEBkws/RJ2tY77EPWu2J2GcRg4m9dhaEoNmlQeAx"
    "npLZUP1yCkHS/8ox/fyATz5hpfncVOmZrX/7qQcoruwViUFnroGoQAfX3145GRNTypPVW6Pm+qN5Cxt6PHkg28WC90x0O8bfbKmq"
    "LnZ4c3qiB74ilbcDhZ3ri5Iz2DsnkTci7SRNjek4lZ9fZGmZwvvU0LYUvd8aIQpMqO3rrvhS0d1CnelLn3d/KnzVlmakDqk4jeg4"
    "2KLMN28XQHud9T0uI1ahIB0KveHmWMPl69dFB06JWRgfQzEpvKkaJR6eWmE61aLnhsb31ZxKKh7U/N0sCZPthzmqfRL8fnw6Qxlk"
    "/ynEA2J/flLoBKk2me6fsl56ujNIy2J3VQqOA6LpTGXE4Un6c+PmstofH0535pkxFxKPYvA/bQljlPVLIMVDqxNSx8B70SflUCTT"
    "jnTTIvjCKNHjMWj8lokvOhHrW3sTVwmdxSvMQifwnxXM2SH/5O1flURTlF+qMk3ioj35HaW/sD12+kLof1Led+eyq/DPbiWVYTk3"
    "w5P9hz1FtXWL68UlzSMob3FIxfxm+b1EPMl3VvjoUCpnwjjZ9ZVa+xuhhedbsLEKvwOD2gaW+BNQkpU7G6PxbaF8DwTu/Zr+zSfX"
    "mVQeD7qXo6JANZtdGbOX6L9hU28ajuXMFn7Swgd1fjwI/VT8++21mf1iig1aIsjoFCjrFa7ba/afmL8vlIYw8FuOmcw1n83jR7VF"
    "Qdl0xBPjqRpxk+qvOtYXZPnX+O9MrckG/yNJ3Y/Ar5TJQOeyUPNRGAZHV7/ibNcVEDFuu6nPWnZSASnI9aMLy92W2F/74G9/n6tX"
    "3Ed/f05j4/oX1IRq8Rn/seqE4cB82/EbFoGy2lNUuebntrptKSzQTXqxwL8d6JJT1SJ/EOMAh+ifI+zJgMlJUzQKrmrJ8NazSMPy"
    "B+UUTPQd55QqF/VX7L7DxPOvio1h0l7juSA9/4cwHX55jIehW/eHYfC1QhnlljyMP6bSXKnfr4pL976Nc/bjVouG5LfsqJ8ysuf8"
    "hvyIsD6R5knOsoKSBmf6L+asVfaZmhLZAGiU/lcjG5hYvIr6d0yyQ7XdUn9BE3zmZJJOUT7v9q2cpILlFRM0Vfz1w5dHnC1PH8jv"
    "3rbznHhJexBeWx8Cf7JRjfJi6OGdfNSYPv1q/Gc/fGX8uFgPNTGH2JafyS23TrTDEZEr0czuf/VxzKrzi8OMsyn6OVXe9ftDw5TG"
    "BxPszzeT7wCwdvQGYsO/0ZhE6xTdbirH4z9Q7zGU/56mH2r1FRl9ztoP/G389anDsR+db9epl2FwzBFc1VyGqbWI/h1FUuvX/11/"
    "A+aNE35EMRsXuorimQnnP2YH8jt+KgCTcSeKuvrIdjz5o2/G3oe2DYhtv7BDdtIXtzkcbfL/Lf8nD1sSf9PYtfMZz58QzrOb6AsV"
    "exvmWZbv+b9xaJTGW6baljsWTJzBOn+stgWT8kz/09YmInv4taenf7gHJnP7okEYVgwOHfe8WQX321+77HVmfvmNrl+N+JQzssHT"
    "0g/azQ8sf+33/4qD01sf8JdXA8nWi6H/yHzy8drw09Ej568vxkvq49/fgXyWfpuy5moXWbwEj5jc6XMOHqxUTtt+31a5Ry7Of63z"
    "e7dnCr4XP57BAG9Xo7ySdIna/2hUUpY="
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
