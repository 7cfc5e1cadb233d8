"""Tasks: long work that clients ask for now and fetch later, kept in one file of SQLite.

All worker processes of a service share the file. Each of them takes tasks from it, and each of them
knows all tasks, whichever process was asked for them, and whichever does them.
"""

from chunkwright.server.tasks.task import Result, Task, TaskLimits
from chunkwright.server.tasks.tasks import LONGEST_WAIT, Tasks

__all__ = ["LONGEST_WAIT", "Result", "Task", "TaskLimits", "Tasks"]
