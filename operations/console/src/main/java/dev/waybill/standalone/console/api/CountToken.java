package dev.waybill.standalone.console.api;

import dev.waybill.standalone.console.access.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;

/**
 * The things that a dry run has counted, as a text that the deed names: the deed is done to nothing else. It is no
 * secret, since whoever
 * makes one up changes no more than a dry run would have told.
 *
 * @param count of letters or holds
 * @param messages of those holds
 * @param last the number of the last one
 * @param at the moment, by the database's clock
 */
record CountToken(long count, long messages, long last, Instant at) {
    /** @param asked what was asked for, and of which database */
    String text(String asked) {
        String all = count + "~" + messages + "~" + last + "~" + at + "~" + Requests.tag(asked);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads it.
     *
     * @throws Refusal if it is none, or was told of something else
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
                        412, "Nothing was changed: the token was told of another deed, filter, way or database.");
            }
            return token;
        } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
            throw new Refusal(400, "Send the token that the dry run has told.");
        }
    }
}
