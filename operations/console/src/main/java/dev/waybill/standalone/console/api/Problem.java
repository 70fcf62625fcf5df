package dev.waybill.standalone.console.api;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

/** An error in the form of RFC 9457. */
public final class Problem {
    private Problem() {}

    public static void answer(Context request, int status, String detail) {
        HttpStatus known = HttpStatus.forStatus(status);
        request.status(status);
        Json.answer(
                request,
                "application/problem+json",
                Json.row("type", "about:blank", "title", known.getMessage(), "status", status, "detail", detail));
    }
}
