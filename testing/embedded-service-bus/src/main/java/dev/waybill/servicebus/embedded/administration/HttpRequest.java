package dev.waybill.servicebus.embedded.administration;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class HttpRequest {
    private final String method;
    private final String target;
    private final Map<String, String> headers;
    private final byte[] body;
    private final boolean keepsAlive;

    /** Headers have lower-case names. */
    HttpRequest(String method, String target, Map<String, String> headers, byte[] body, boolean keepsAlive) {
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.body = body;
        this.keepsAlive = keepsAlive;
    }

    String method() {
        return method;
    }

    /** Path and query, as sent. */
    String target() {
        return target;
    }

    @Nullable String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    byte[] body() {
        return body;
    }

    boolean keepsAlive() {
        return keepsAlive;
    }
}
