package androidx.work;

public abstract class WorkRequest { }
