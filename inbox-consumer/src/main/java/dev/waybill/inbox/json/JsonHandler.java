package dev.waybill.inbox.json;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import org.jooq.DSLContext;

/**
 * Handles a message whose body is JSON.
 *
 * @param <T> what the body is read as
 */
@FunctionalInterface
public interface JsonHandler<T> {
    /** As {@link dev.waybill.inbox.Handler#handle}, with the body read. */
    Verdict handle(DSLContext tx, InboundMessage message, T body) throws Exception;
}
