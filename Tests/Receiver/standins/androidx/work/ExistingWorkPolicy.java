package androidx.work;

public enum ExistingWorkPolicy { REPLACE }
