#!/usr/bin/python3
"""Runs a filter, and kills it and itself after some answers if the file MARKER doesn't exist yet.

    crash.py MARKER ANSWERS COMMAND...
"""

import os
import signal
import subprocess
import sys

marker, answers, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
try:
    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
except FileExistsError:
    os.execvp(command[0], command)
process = subprocess.Popen(command, stdout=subprocess.PIPE)
for number, line in enumerate(process.stdout):
    if number == answers:
        process.kill()
        os.kill(os.getpid(), signal.SIGKILL)
    os.write(1, line)
sys.exit("crash: error: The input is too short.")
