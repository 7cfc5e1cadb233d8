"""Listeners to the progress of a run, with a method for each kind of step."""

from chunkwright.corpus import Beginning, Counts, Failure, Step


class Listener:
    """Hears nothing; tests override what they want to hear."""

    def __call__(self, step: Step[Beginning | Counts | Failure]) -> None:
        if isinstance(step.about, Beginning):
            self.begin(step.about)
        elif isinstance(step.about, Counts):
            assert step.n_documents == step.about.documents
            self.advance(step.about)
        else:
            assert " ".join(str(step.error).split()) == step.about.message
            assert step.name == step.about.place
            self.fail(step.about)

    def begin(self, beginning: Beginning) -> None:
        """Hear what the run is about to do."""

    def advance(self, counts: Counts) -> None:
        """Hear what was done."""

    def fail(self, failure: Failure) -> None:
        """Hear what failed."""
