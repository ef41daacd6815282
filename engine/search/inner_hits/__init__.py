"""``inner_hits``: what made a hit match, or stands behind it, shown as hits of its own."""
