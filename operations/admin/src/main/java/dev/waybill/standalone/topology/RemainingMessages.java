package dev.waybill.standalone.topology;

import dev.waybill.standalone.servicebus.Entities;
import dev.waybill.standalone.servicebus.MessageCounter;
import dev.waybill.standalone.servicebus.MessageCounter.Answer;
import dev.waybill.standalone.servicebus.MessageCounter.Count;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The messages in an entity and its subscriptions, which may prevent a move. */
public record RemainingMessages(List<Answer> answers) {
    public RemainingMessages {
        answers = List.copyOf(answers);
    }

    static RemainingMessages of(boolean topic, String path, Entities entities, MessageCounter contents) {
        return of(topic, path, entities, contents, () -> {});
    }

    /** @param before runs before each request */
    static RemainingMessages of(
            boolean topic, String path, Entities entities, MessageCounter contents, Runnable before) {
        var answers = new ArrayList<Answer>();
        before.run();
        if (!topic) {
            answers.add(contents.ofQueue(path));
            return new RemainingMessages(answers);
        }
        answers.add(contents.ofTopic(path));
        Optional<List<String>> names = entities.subscriptionsOf(path);
        if (names.isEmpty()) {
            answers.add(new Answer(path, Optional.empty(), Optional.of("its subscriptions cannot be listed")));
        }
        names.orElse(List.of()).forEach(name -> {
            before.run();
            answers.add(contents.ofSubscription(path, name));
        });
        return new RemainingMessages(answers);
    }

    /** Why a count is unknown; empty if all are known. */
    public Optional<String> unknown() {
        return answers.stream()
                .flatMap(answer -> answer.unknown().map(why -> answer.path() + ": " + why).stream())
                .findFirst();
    }

    /** Whether all counts are known and contain only the given kinds. */
    boolean isOnly(Set<Kind> left) {
        return unknown().isEmpty() && besides(left).isEmpty();
    }

    /** The counts of the other kinds, as texts. */
    public List<String> besides(Set<Kind> left) {
        var texts = new ArrayList<String>();
        for (Answer answer : answers) {
            counts(answer).forEach((kind, count) -> {
                if (count > 0 && !left.contains(kind)) {
                    texts.add(answer.path() + " holds " + count + " " + kind.label());
                }
            });
        }
        return texts;
    }

    long count(Kind kind) {
        return answers.stream()
                .mapToLong(answer -> counts(answer).getOrDefault(kind, 0L))
                .sum();
    }

    private static Map<Kind, Long> counts(Answer answer) {
        var counts = new LinkedHashMap<Kind, Long>();
        answer.count().ifPresent(count -> {
            for (Kind kind : Kind.values()) {
                counts.put(kind, kind.of(count));
            }
        });
        return counts;
    }

    /** The kinds of messages by what happens to them. */
    public enum Kind {
        /** Deliverable or locked. */
        ACTIVE("start its consumer, and give it time: --drain-timeout"),
        /** The broker delivers them later. */
        SCHEDULED(
                "wait until their time has come, or cancel them by their sequence numbers and append them anew with notBefore"),
        /** Received only by sequence number. */
        DEFERRED("resume them by their keys (inbox.resume): their consumer takes them off the entity"),
        /** They wait for the collector. */
        DEAD_LETTERS("collect them (database.NAME.collect); waybill-relay dlq collectors"),
        /** The broker could not forward them. */
        TRANSFER_DEAD_LETTERS("collect them (database.NAME.collect); waybill-relay dlq collectors");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }

        private long of(Count count) {
            return switch (this) {
                case ACTIVE -> count.active();
                case SCHEDULED -> count.scheduled();
                case DEFERRED -> count.deferred();
                case DEAD_LETTERS -> count.deadLetters();
                case TRANSFER_DEAD_LETTERS -> count.transferDeadLetters();
            };
        }

        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** How to remove them. */
        public String remedy() {
            return remedy;
        }
    }
}
