package dev.waybill.spring;

import dev.waybill.outbox.Outbox;

/** Changes the settings of the outbox, after the properties. */
@FunctionalInterface
public interface OutboxCustomizer {
    /** Changes them. */
    void customize(Outbox.Builder settings);
}
