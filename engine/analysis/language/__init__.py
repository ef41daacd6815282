"""What languages need: normalizers and stemmers as functions from text to text."""
