package dev.waybill.inbox.json;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import org.jooq.DSLContext;

@FunctionalInterface
public interface JsonHandler<T> {
    /** {@link dev.waybill.inbox.Handler#handle} with the parsed body. */
    Verdict handle(DSLContext tx, InboundMessage message, T body) throws Exception;
}
