"""`python -m chunkwright`: the command line."""

from chunkwright.cli import main

if __name__ == "__main__":
    main()
