"""What every package of the engine may use: errors, dates, units, ids, settings."""
