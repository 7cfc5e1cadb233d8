"""Commands over stores: import, search, differences, citations, verification, calibration."""
