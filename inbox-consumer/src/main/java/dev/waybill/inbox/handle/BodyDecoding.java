package dev.waybill.inbox.handle;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.PayloadCodec;
import org.jooq.DSLContext;

/**
 * Gives the handler bodies as their writers built them. A message whose body cannot be decoded never reaches the
 * handler, whether that asks for the body or not: a codec may be what tells a message of ours from a forged one.
 */
record BodyDecoding(Handler handler, PayloadCodec codec) implements Handler {
    @Override
    public Verdict handle(DSLContext tx, InboundMessage message) throws Exception {
        byte[] body = codec.decode(new PayloadCodec.Received(
                message.id(),
                message.session().orElse(null),
                message.subject().orElse(null),
                message.contentType().orElse(null),
                message.headers(),
                message.body()));
        return handler.handle(tx, OtherBody.of(message, body::clone));
    }
}
