package com.google.android.gms.tasks;

/** An abstract class in Google's library. */
public class Task<TResult> {
    private final TResult result;

    public Task(TResult result) {
        this.result = result;
    }

    public TResult getResult() {
        return result;
    }
}
