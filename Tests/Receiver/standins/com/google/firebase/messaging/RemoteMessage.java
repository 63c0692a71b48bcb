package com.google.firebase.messaging;

import java.util.Map;

public final class RemoteMessage {
    private final Map<String, String> data;
    private final String collapseKey;

    /** Has other parameters in Firebase. */
    public RemoteMessage(Map<String, String> data, String collapseKey) {
        this.data = data;
        this.collapseKey = collapseKey;
    }

    public Map<String, String> getData() {
        return data;
    }

    public String getCollapseKey() {
        return collapseKey;
    }
}
