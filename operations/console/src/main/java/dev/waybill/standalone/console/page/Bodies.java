package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.message.MessageContent;
import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Person;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.page.hold.HoldLookup;
import dev.waybill.standalone.log.AuditLog;
import dev.waybill.standalone.message.BodyText;
import dev.waybill.standalone.message.ClaimPlace;
import dev.waybill.standalone.message.LetterBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first bytes of bodies, without masked parts. Immutable. */
public final class Bodies {
    /** Messages of a hold to try, one at a time, since bodies may be large. */
    private static final int MOST_HELD = 50;

    private final int limit;
    private final ContentMask mask;

    public Bodies(ConsoleSettings.Messages messages) {
        this.limit = messages.bodyLimit();
        this.mask = messages.mask();
    }

    /** A body, or the reason why there is none; {@code of} names the message. */
    public record Found(String of, @Nullable BodyText body, String missing) {
        static Found nothing(String of, String missing) {
            return new Found(of, null, missing);
        }
    }

    /** A held message by its ids. */
    record Sought(String scope, String message, String session) {
        List<HoldKey> on(HoldSide side) {
            var keys = new ArrayList<HoldKey>();
            if (!session.isEmpty()) {
                keys.add(HoldKey.session(side, scope, session));
            }
            keys.add(new HoldKey(side, scope, session.isEmpty() ? null : session, message));
            return keys;
        }
    }

    public Found ofLetter(long id, Database database) {
        DeadLetter letter = DeadLetters.in(database.viewers(), database.schema())
                .show(id)
                .orElseThrow(() -> new Refusal(404, "There is no dead letter " + id + "."));
        String of = "dead letter " + id;
        return LetterBody.missing(letter)
                .map(missing -> Found.nothing(of, missing))
                .orElseGet(() -> shown(of, letter.content(), database));
    }

    public Found ofHeld(HoldSide side, long hold, long place, Database database) {
        Holds holds = HoldLookup.holds(database.viewers(), database, side);
        HeldMessage message = holds.messages(HoldLookup.hold(holds, hold).key(), place - 1, 1).stream()
                .filter(each -> each.place() == place)
                .findFirst()
                .orElseThrow(() -> new Refusal(404, "The hold has no message at this place."));
        return shown("message " + place + " of hold " + hold, message.content(), database);
    }

    Found ofHeld(Sought sought, Database database) {
        String of = "held message " + sought.message + " of " + sought.scope;
        return held(database, sought)
                .map(held -> shown(of, held.content(), database))
                .orElseGet(() -> Found.nothing(of, "It is not held any more, or too many are held before it."));
    }

    /** Logs an access to a body. */
    public static void tell(Found found, Person person, Database database) {
        if (found.body != null) {
            AuditLog.tell(
                    "The body of " + found.of + " in " + database.settings() + " was shown in the console",
                    person.name(),
                    "looked at");
        }
    }

    // Masks the whole body before it is cut, because half a document cannot be parsed.
    private Found shown(String of, MessageContent content, Database database) {
        Optional<ClaimPlace> outside = ClaimPlace.of(content, database.viewers(), database.schema());
        if (outside.isPresent()) {
            return Found.nothing(of, outside.get().text());
        }
        return mask.body(content.body())
                .map(shown -> new Found(of, new BodyText(shown, content.contentType(), limit), ""))
                .orElseGet(
                        () -> Found.nothing(
                                of,
                                "It is not shown: console.redact hides it, or parts that nobody can find in a body that is no JSON."));
    }

    private static Optional<HeldMessage> held(Database database, Sought sought) {
        for (HoldSide side : HoldSide.values()) {
            Holds holds = HoldLookup.holds(database.viewers(), database, side);
            for (HoldKey key : sought.on(side)) {
                Optional<HeldMessage> found = among(holds, key, sought.message);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<HeldMessage> among(Holds holds, HoldKey key, String message) {
        long after = 0;
        for (int i = 0; i < MOST_HELD; i++) {
            List<HeldMessage> next = holds.messages(key, after, 1);
            if (next.isEmpty() || next.get(0).content().messageId().equals(message)) {
                return next.stream().findFirst();
            }
            after = next.get(0).place();
        }
        return Optional.empty();
    }
}
