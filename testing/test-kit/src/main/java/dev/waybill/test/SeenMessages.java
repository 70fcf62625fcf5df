package dev.waybill.test;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Messages in one place at one moment, in their order. An expectation that does not hold is an {@link AssertionError} that lists them
 * all. Immutable.
 */
public final class SeenMessages implements Iterable<SeenMessage> {
    private final String where;
    private final List<SeenMessage> messages;
    private final Set<Part> unknown;
    private final Supplier<String> unseen;

    SeenMessages(String where, List<SeenMessage> messages) {
        this(where, messages, () -> "");
    }

    /** @param unseen what an expectation says that finds no message at all */
    SeenMessages(String where, List<SeenMessage> messages, Supplier<String> unseen) {
        this(where, messages, Set.of(), unseen);
    }

    private SeenMessages(String where, List<SeenMessage> messages, Set<Part> unknown, Supplier<String> unseen) {
        this.where = where;
        this.messages = List.copyOf(messages);
        this.unknown = unknown;
        this.unseen = unseen;
    }

    /** A part of a message that is not known in every place. */
    enum Part {
        SESSION,
        SUBJECT
    }

    SeenMessages without(Part... parts) {
        return new SeenMessages(where, messages, Set.of(parts), unseen);
    }

    private void requireKnown(Part part) {
        if (unknown.contains(part)) {
            throw new IllegalStateException("The " + part.name().toLowerCase(Locale.ROOT) + " of messages " + where
                    + " is not known; ask where they were appended");
        }
    }

    /** Messages of one destination, entity or consumer. */
    public SeenMessages at(String place) {
        return only(" at '" + place + "'", message -> message.place().equals(place));
    }

    public SeenMessages inSession(String session) {
        requireKnown(Part.SESSION);
        return only(
                " in session '" + session + "'",
                message -> message.session().filter(session::equals).isPresent());
    }

    public SeenMessages withSubject(String subject) {
        requireKnown(Part.SUBJECT);
        return only(
                " with subject '" + subject + "'",
                message -> message.subject().filter(subject::equals).isPresent());
    }

    private SeenMessages only(String which, Predicate<SeenMessage> condition) {
        return new SeenMessages(
                where + which, messages.stream().filter(condition).toList(), unknown, unseen);
    }

    public List<SeenMessage> list() {
        return messages;
    }

    public List<String> ids() {
        return messages.stream().map(SeenMessage::id).toList();
    }

    @Override
    public Iterator<SeenMessage> iterator() {
        return messages.iterator();
    }

    /** No message, and no append that is not committed: it could not be seen. */
    public SeenMessages isEmpty() {
        return expectAbsent(messages.isEmpty(), "no message");
    }

    public SeenMessages hasSize(int count) {
        return expect(messages.size() == count, count + (count == 1 ? " message" : " messages"));
    }

    /** These ids exactly, in this order. */
    public SeenMessages hasIds(String... ids) {
        return expect(ids().equals(List.of(ids)), "exactly " + Arrays.toString(ids) + " in this order");
    }

    /** These ids, in any order, among others or not. */
    public SeenMessages contain(String... ids) {
        requireSome(ids);
        return expect(ids().containsAll(List.of(ids)), Arrays.toString(ids));
    }

    /** None of these ids, and no append that is not committed: it could not be seen. */
    public SeenMessages doNotContain(String... ids) {
        requireSome(ids);
        return expectAbsent(Arrays.stream(ids).noneMatch(ids()::contains), "none of " + Arrays.toString(ids));
    }

    private static void requireSome(String... ids) {
        if (ids.length == 0) {
            throw new IllegalArgumentException("Name at least one id");
        }
    }

    /** At least one message, all of which match. */
    public SeenMessages allMatch(String expectation, Predicate<SeenMessage> condition) {
        return expect(
                !messages.isEmpty() && messages.stream().allMatch(condition), "only messages with " + expectation);
    }

    /** The only message. */
    public SeenMessage single() {
        hasSize(1);
        return messages.get(0);
    }

    private SeenMessages expectAbsent(boolean met, String expectation) {
        String hidden = met ? unseen.get() : "";
        if (!hidden.isEmpty()) {
            throw new AssertionError("Expected " + expectation + " " + where + ", but that cannot be known." + hidden);
        }
        return expect(met, expectation);
    }

    private SeenMessages expect(boolean met, String expectation) {
        if (!met) {
            throw new AssertionError("Expected " + expectation + " " + where + ", but there "
                    + (messages.size() == 1 ? "is" : "are") + listed()
                    + (messages.isEmpty() ? unseen.get() : ""));
        }
        return this;
    }

    private String listed() {
        if (messages.isEmpty()) {
            return " none";
        }
        var text = new StringBuilder(" " + messages.size() + ":");
        messages.forEach(message -> text.append("\n  ").append(message));
        return text.toString();
    }

    @Override
    public String toString() {
        return "Messages " + where + ":" + listed();
    }
}
