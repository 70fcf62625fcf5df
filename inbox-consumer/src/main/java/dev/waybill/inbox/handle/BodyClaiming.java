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

/** Loads bodies from the claim store, if there is one. A missing body is an error only if the handler reads it. */
public record BodyClaiming(Handler handler, @Nullable ClaimStore store) implements Handler {
    /** Wraps the application's handler, which gets bodies as their writers built them. */
    public static Handler of(ConsumerSettings.Application application) {
        Handler handler = application.handler();
        @Nullable PayloadCodec codec = application.codec();
        return new BodyClaiming(codec == null ? handler : new BodyDecoding(handler, codec), application.claims());
    }

    @Override
    public Verdict handle(DSLContext tx, InboundMessage message) throws Exception {
        @Nullable Object claim = message.headers().get(WireContract.CLAIM);
        // A body that is there is the message's own.
        return handler.handle(
                tx,
                claim == null || message.body().length > 0
                        ? message
                        : OtherBody.of(message, body(tx, message, claim.toString())));
    }

    // Loaded in the handler's transaction, so that other threads may read the message.
    private Supplier<byte[]> body(DSLContext tx, InboundMessage message, String claim) {
        if (store == null) {
            return () -> {
                throw new IllegalStateException(
                        "The body of message '" + message.id() + "' is in a claim store, as claim " + claim
                                + ", but this consumer has no claim store; set claims");
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
                    "Message '" + message.id() + "' has the claim '" + claim + "', which is no UUID", e);
        }
    }
}
