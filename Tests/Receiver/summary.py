"""The counts of compared scenarios, and the shortest scenario with a difference.

    summary.py COUNTS [FILE]            adds the scenarios of a file to the counts, or prints the counts
    summary.py --differences LOG FILE   prints the shortest scenario that the log of a replay names
"""
import collections
import json
import os
import sys


def add(counts, path):
    with open(path) as lines:
        for line in lines:
            scenario = json.loads(line)
            counts["scenarios"] += 1
            counts["scenario ends early"] += scenario.get("forgets", False)
            for step in scenario["steps"]:
                counts["steps"] += 1
                counts[f"{step['do']} {step['expect'].get('outcome', '')}".strip()] += 1
                if "kill" in step and step["expect"]["outcome"] == "killed":
                    counts["killed " + step["kill"]] += 1
                for answer in step.get("answers", []):
                    counts["answer " + answer.get("status", "missing")] += 1
                counts["requests"] += len(step["expect"].get("requests", []))


def report(counts):
    print(f"{counts.pop('scenarios')} scenarios, {counts.pop('steps')} steps, no difference")
    for name, count in sorted(counts.items()):
        print(f"{count:10} {name}")


def shortest(log, path):
    with open(log) as lines:
        differences = lines.read().splitlines()
    names = {line.split(",")[0] for line in differences}
    with open(path) as lines:
        found = [line for line in lines if json.loads(line)["name"] in names]
    print(f"{len(found)} scenarios differ. The shortest of them:")
    if found:
        line = min(found, key=len)
        print(line, end="")
        name = json.loads(line)["name"] + ","
        print("\n".join(each for each in differences if each.startswith(name)))
    else:
        print("\n".join(differences[-20:]))


def main(arguments):
    if arguments[0] == "--differences":
        return shortest(arguments[1], arguments[2])
    counts = collections.Counter()
    if os.path.exists(arguments[0]):
        with open(arguments[0]) as file:
            counts.update(json.load(file))
    if len(arguments) == 1:
        return report(counts)
    add(counts, arguments[1])
    with open(arguments[0], "w") as file:
        json.dump(counts, file)


main(sys.argv[1:])
