package dev.waybill.standalone.console.access;

import io.javalin.http.Context;

/** Handles a request of an authorized person. */
@FunctionalInterface
public interface PageHandler {
    void answer(Context request, SignedInRequest visit) throws Exception;

    @FunctionalInterface
    interface OfDatabase {
        void answer(Context request, SignedInRequest visit, Database database) throws Exception;
    }
}
