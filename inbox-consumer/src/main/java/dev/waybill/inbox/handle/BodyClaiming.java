package dev.waybill.inbox.handle;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.message.WireContract;
import dev.waybill.outbox.ClaimMissingException;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives the handler the bodies that writers have kept outside their messages. A body that cannot be had is an error only for
 * a handler that asks for it.
 *
 * @param store null if the consumer has none
 */
public record BodyClaiming(Handler handler, @Nullable ClaimStore store) implements Handler {
    /** The application's handler, which finds bodies as their writers built them. */
    public static Handler of(ConsumerSettings.Application application) {
        Handler handler = application.handler();
        @Nullable PayloadCodec codec = application.codec();
        return new BodyClaiming(codec == null ? handler : new BodyDecoding(handler, codec), application.claims());
    }

    @Override
    public Verdict handle(DSLContext tx, InboundMessage message) throws Exception {
        @Nullable Object claim = message.headers().get(WireContract.CLAIM);
        return handler.handle(tx, claim == null ? message : OtherBody.of(message, body(tx, message, claim.toString())));
    }

    // Loaded now, in the handler's transaction, so that the message can be handed to other threads.
    private Supplier<byte[]> body(DSLContext tx, InboundMessage message, String claim) {
        if (store == null) {
            return () -> {
                throw new IllegalStateException("The body of message '" + message.id()
                        + "' is kept outside it, as claim " + claim + ", and this consumer has no claim store");
            };
        }
        UUID id = parse(message, claim);
        Optional<byte[]> body = tx.connectionResult(connection -> store.load(connection, id));
        return () -> body.orElseThrow(() -> new ClaimMissingException(message.id(), id))
                .clone();
    }

    private static UUID parse(InboundMessage message, String claim) {
        try {
            return UUID.fromString(claim);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Message '" + message.id() + "' claims its body with '" + claim + "', which is no claim", e);
        }
    }
}
