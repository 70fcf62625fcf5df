package dev.waybill.standalone.topology;

import dev.waybill.standalone.servicebus.MessageCounter;
import dev.waybill.standalone.servicebus.MessageCounter.Answer;
import dev.waybill.standalone.servicebus.MessageCounter.Count;
import dev.waybill.standalone.servicebus.Entities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The messages that an entity holds, subscriptions of a topic included, and those of them that stand in the way of a
 * move.
 *
 * @param answers by queue or subscription
 */
public record RemainingMessages(List<Answer> answers) {
    /** Copies the list. */
    public RemainingMessages {
        answers = List.copyOf(answers);
    }

    static RemainingMessages of(boolean topic, String path, Entities entities, MessageCounter contents) {
        return of(topic, path, entities, contents, () -> {});
    }

    /** @param before is run before each question, of which a topic takes many */
    static RemainingMessages of(boolean topic, String path, Entities entities, MessageCounter contents, Runnable before) {
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

    /** Why something of it is not known; empty if all is. */
    public Optional<String> unknown() {
        return answers.stream()
                .flatMap(answer -> answer.unknown().map(why -> answer.path() + ": " + why).stream())
                .findFirst();
    }

    /** Whether it is known to hold nothing but what may be left. */
    boolean isOnly(Set<Kind> left) {
        return unknown().isEmpty() && besides(left).isEmpty();
    }

    /** How many there are of each kind, for a person. */
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

    /** How many there are of one kind. */
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

    /** The kinds of messages that an entity holds, by what becomes of them. */
    public enum Kind {
        /** They are delivered, or in the hands of a consumer. */
        ACTIVE("start its consumer, and give it time: --drain-timeout"),
        /** The broker holds them back. */
        SCHEDULED(
                "wait until their time has come, or cancel them by their sequence numbers and append them anew with notBefore"),
        /** They are delivered to whoever asks by their number. */
        DEFERRED("resume them by their keys (inbox.resume): their consumer takes them off the entity"),
        /** They wait for somebody who collects them. */
        DEAD_LETTERS("collect them (database.NAME.collect); waybill-relay dlq collectors"),
        /** The entity could not pass them on. */
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

        /** How an operator names it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** The way to get rid of them. */
        public String remedy() {
            return remedy;
        }
    }
}
