package dev.waybill.standalone.console.api;

import dev.waybill.standalone.console.access.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;

/**
 * What a dry run counted. The change names this token and applies to the counted items only. The token needs no secrecy: a
 * forged one changes no more than a dry run would show.
 *
 * @param messages of the counted holds
 * @param last the number of the last item
 * @param at the database's time
 */
record CountToken(long count, long messages, long last, Instant at) {
    /** @param asked the request and its database */
    String text(String asked) {
        String all = count + "~" + messages + "~" + last + "~" + at + "~" + Requests.tag(asked);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses a token.
     *
     * @throws Refusal if it is invalid or belongs to another request
     */
    static CountToken of(String text, String asked) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split("~", 5);
            var token = new CountToken(
                    Requests.number(parts[0]),
                    Requests.number(parts[1]),
                    Requests.number(parts[2]),
                    OffsetDateTime.parse(parts[3]).toInstant());
            if (!parts[4].equals(Requests.tag(asked))) {
                throw new Refusal(
                        412, "Nothing was changed: the token belongs to another action, filter, target or database.");
            }
            return token;
        } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
            throw new Refusal(400, "Send the token of the dry run.");
        }
    }
}
