package dev.waybill.walletforge.http;

import dev.waybill.inbox.IdempotencyKeys;
import dev.waybill.inbox.Response;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.payment.Payment;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BiFunction;
import org.jooq.DSLContext;

/** Carries each POST out once per {@code Idempotency-Key}, and answers a repeat with the first answer. */
final class IdempotentPosts {
    private final DSLContext dsl;
    private final IdempotencyKeys keys;

    IdempotentPosts(Installation installation) {
        dsl = installation.dsl();
        keys = installation.requests();
    }

    /** The work gets the transaction and the key, and returns the id of what it began. */
    void carryOut(Context http, BiFunction<DSLContext, String, String> work) {
        String key = http.header("Idempotency-Key");
        // The service's own messages have ids with a slash.
        if (key == null || !key.matches("[\\w.~-]{1," + Payment.MAX_TX_ID + "}")) {
            throw new IllegalArgumentException("Idempotency-Key must have 1 to 119 letters, digits or ._~-");
        }
        String body = new String(http.bodyAsBytes(), StandardCharsets.ISO_8859_1);
        byte[] request = (http.method() + " " + http.path() + "\n" + body).getBytes(StandardCharsets.UTF_8);
        // Key and work in one transaction: none of them is there without the other.
        Response response = dsl.transactionResult(tx -> keys.once(tx.dsl(), key, request, () -> {
            String answer = Json.write(Map.of("id", work.apply(tx.dsl(), key)));
            return new Response(202, "application/json", answer.getBytes(StandardCharsets.UTF_8));
        }));
        http.status(response.status()).contentType("application/json").result(response.body());
    }
}
