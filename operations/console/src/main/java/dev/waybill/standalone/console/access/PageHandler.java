package dev.waybill.standalone.console.access;

import io.javalin.http.Context;

/** An answer to somebody who may have it. */
@FunctionalInterface
public interface PageHandler {
    /** Answers. */
    void answer(Context request, SignedInRequest visit) throws Exception;

    /** An answer about one database. */
    @FunctionalInterface
    interface OfDatabase {
        /** Answers. */
        void answer(Context request, SignedInRequest visit, Database database) throws Exception;
    }
}
