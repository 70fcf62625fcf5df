package dev.waybill.benchmarks.outbox;

import java.util.function.Consumer;
import org.jooq.DSLContext;

/** A way to write business transactions, and what publishes their events. */
interface CostSide {
    /** Whether there are events to wait for. */
    boolean publishes();

    /** How its transactions are run, by what runs those of the others. */
    default DSLContext transactions(DSLContext usual) {
        return usual;
    }

    /** The statements of one transaction. */
    void write(DSLContext tx, int account, String reference);

    /** Starts to publish until it is closed, and says of each event that it has reached the publisher. */
    Publishing publishing(Consumer<String> published);

    /** Publishes until it is closed. */
    interface Publishing extends AutoCloseable {
        /** After each commit. */
        default void committed() {}

        @Override
        void close();
    }
}
