package dev.waybill.inbox.handle;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.PayloadCodec;
import org.jooq.DSLContext;

// A message that the codec cannot decode never reaches the handler, even if that ignores the body: the codec may be
// what detects forged messages.
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
