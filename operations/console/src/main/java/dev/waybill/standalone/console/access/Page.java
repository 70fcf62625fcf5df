package dev.waybill.standalone.console.access;

import io.javalin.http.Context;

/** An answer to somebody who may have it. */
@FunctionalInterface
public interface Page {
    /** Answers. */
    void answer(Context request, Visit visit) throws Exception;

    /** An answer about one database. */
    @FunctionalInterface
    interface OfDatabase {
        /** Answers. */
        void answer(Context request, Visit visit, Database database) throws Exception;
    }
}
