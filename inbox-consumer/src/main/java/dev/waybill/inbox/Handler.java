package dev.waybill.inbox;

import org.jooq.DSLContext;

/** What a consumer does with a message. Called by several threads, for messages of different sessions. */
@FunctionalInterface
public interface Handler {
    /**
     * Applies the message in the transaction that records it.
     *
     * @param tx the inbox's transaction; what is done through it is committed together with the record, or not at all
     * @return what is to become of the message
     * @throws Exception rolled back and tried again, in the end dead-lettered with its type and stack trace
     */
    Verdict handle(DSLContext tx, InboundMessage message) throws Exception;
}
