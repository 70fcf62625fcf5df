package dev.waybill.message;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Limits of Service Bus and the outbox on every message, in Java for contents and in SQL for table rows, with equal wording.
 */
public final class SendRules {
    /** Counts UTF-16 units, as the Azure SDK does. */
    private static final String TOO_LONG = """
            (length(%1$s) > 128 or length(%1$s) > 64 and octet_length(%1$s) > length(%1$s)
              and length(%1$s) + length(regexp_replace(%1$s, '[^\\U00010000-\\U0010FFFF]', '', 'g')) > 128)""";

    private static final List<Rule> RULES = List.of(
            new Rule(
                    "has an id of more than 128 characters, or of none",
                    "message_id = '' or " + TOO_LONG.formatted("message_id"),
                    message -> message.id.isEmpty() || isTooLong(message.id)),
            new Rule(
                    "has a session of more than 128 characters, or of none",
                    "session_id = '' or " + TOO_LONG.formatted("session_id"),
                    message -> message.session != null && (message.session.isEmpty() || isTooLong(message.session))),
            new Rule(
                    "has a partition key of more than 128 characters",
                    TOO_LONG.formatted("partition_key"),
                    message -> message.partitionKey != null && isTooLong(message.partitionKey)),
            new Rule(
                    "has an empty partition key",
                    "partition_key = ''",
                    message -> message.partitionKey != null && message.partitionKey.isEmpty()),
            new Rule(
                    "has a partition key other than its session",
                    "partition_key <> session_id",
                    message -> message.session != null
                            && message.partitionKey != null
                            && !message.partitionKey.equals(message.session)),
            new Rule(
                    "has a NUL character in its properties",
                    "headers ~ '(^|[^\\\\])(\\\\\\\\)*\\\\u0000'",
                    message -> message.nulInProperties));

    private static final String[] FIELDS = {
        "id",
        "session",
        "partition key",
        "reply-to session",
        "subject",
        "content type",
        "correlation id",
        "to address",
        "reply-to"
    };

    private SendRules() {}

    private static boolean isTooLong(String text) {
        return text.length() > WireContract.MAX_ID_LENGTH;
    }

    /** The first violated rule, as a predicate such as "has an empty id"; null if the message can be sent. */
    public static @Nullable String violation(Parts message) {
        return first(ofParts(message));
    }

    /** The first limit of a message that is broken, as a predicate; null if Service Bus and the outbox take it. */
    public static @Nullable String violation(MessageContent content) {
        return first(violations(content));
    }

    /** As {@link #violation(MessageContent)}, with properties that are not encoded yet. */
    public static @Nullable String violation(MessageContent content, Map<String, Object> properties) {
        var parts = new Parts(content.messageId(), content.sessionId(), content.partitionKey(), false);
        return first(Stream.concat(ofParts(parts), ofFields(content, properties)));
    }

    /**
     * What the edit of a message breaks. A message of a foreign sender may be beyond what Waybill appends, and was sent nevertheless.
     */
    public static @Nullable String violation(MessageContent old, MessageContent changed) {
        Set<String> before = violations(old).collect(Collectors.toSet());
        return first(
                Stream.concat(violations(changed), ofOwn(old, changed)).filter(broken -> !before.contains(broken)));
    }

    private static Stream<String> ofOwn(MessageContent old, MessageContent changed) {
        try {
            return own(old).equals(own(changed))
                    ? Stream.empty()
                    : Stream.of("changes the headers that Waybill itself sets: " + own(changed) + " instead of "
                            + own(old));
        } catch (IllegalArgumentException e) {
            // Headers that cannot be read are a violation of their own.
            return Stream.empty();
        }
    }

    private static String own(MessageContent content) {
        var own = new TreeMap<>(content.properties());
        own.keySet().removeIf(name -> !WireContract.isReserved(name));
        return Headers.write(own);
    }

    private static @Nullable String first(Stream<String> violations) {
        return violations.findFirst().orElse(null);
    }

    private static Stream<String> violations(MessageContent content) {
        Stream<String> ofParts = ofParts(Parts.of(content));
        try {
            return Stream.concat(ofParts, ofFields(content, content.properties()));
        } catch (IllegalArgumentException e) {
            return Stream.concat(ofParts, Stream.of("has headers that cannot be read: " + e.getMessage()));
        }
    }

    private static Stream<String> ofParts(Parts message) {
        return RULES.stream().filter(rule -> rule.broken.test(message)).map(Rule::text);
    }

    private static Stream<String> ofFields(MessageContent content, Map<String, Object> properties) {
        return Stream.of(
                        ofTexts(content),
                        ofSession(content.sessionId()),
                        ofReplyToSession(content.replyToSessionId()),
                        TimeRules.violation("scheduled enqueue time", content.scheduledEnqueueTime()),
                        TimeRules.ofTimeToLive(content.timeToLive()),
                        PropertyRules.violation(properties),
                        PropertyRules.ofAll(propertyBytes(content, properties)))
                .filter(Objects::nonNull);
    }

    private static @Nullable String ofTexts(MessageContent content) {
        @Nullable String[] texts = texts(content);
        for (int i = 0; i < texts.length; i++) {
            @Nullable String broken = TextRules.violation(FIELDS[i], texts[i]);
            if (broken != null) {
                return broken;
            }
        }
        return TextRules.beyondAscii("content type", content.contentType());
    }

    /**
     * What an AMQP symbol would change in a content type, as a predicate; null if nothing. Control characters, which an append
     * refuses, arrive from other senders.
     */
    public static @Nullable String ofContentType(@Nullable String type) {
        return type == null || type.chars().allMatch(c -> c < 128) ? null : TextRules.beyondAscii("content type", type);
    }

    private static @Nullable String ofSession(@Nullable String id) {
        return id == null || !BrokerNames.hasUnfoldedLetters(id)
                ? null
                : "has the session '" + id + "' with an upper-case letter outside A to Z; Service Bus"
                        + " compares sessions without regard to case: write it in lower case";
    }

    private static @Nullable String ofReplyToSession(@Nullable String id) {
        return id == null || (!id.isEmpty() && !isTooLong(id))
                ? null
                : "has a reply-to session of " + id.length() + " characters; 1 to " + WireContract.MAX_ID_LENGTH
                        + " are allowed";
    }

    /** An upper estimate of what all properties take on the broker, in bytes. */
    public static int propertyBytes(MessageContent content, Map<String, Object> properties) {
        // The id travels twice.
        int standard = PropertyRules.bytes(content.messageId());
        for (@Nullable String text : texts(content)) {
            standard += PropertyRules.bytes(text);
        }
        return PropertyRules.encodedBytes(properties, standard);
    }

    private static @Nullable String[] texts(MessageContent content) {
        return new @Nullable String[] {
            content.messageId(),
            content.sessionId(),
            content.partitionKey(),
            content.replyToSessionId(),
            content.subject(),
            content.contentType(),
            content.correlationId(),
            content.toAddress(),
            content.replyTo()
        };
    }

    /** The branches of a {@code case} expression that yields {@link #violation} for a row with a message's columns. */
    public static String sqlBranches() {
        return RULES.stream()
                .map(rule -> "when " + rule.sql + " then '" + rule.text + "'")
                .collect(Collectors.joining("\n"));
    }

    /** {@code nulInProperties}: an application property has a NUL character, which {@code jsonb} cannot store. */
    public record Parts(
            String id, @Nullable String session, @Nullable String partitionKey, boolean nulInProperties) {
        // After an even number of backslashes: those before it are escaped ones.
        private static final Pattern NUL = Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*\\\\u0000");

        public static Parts of(MessageContent content) {
            String headers = content.headers();
            return new Parts(
                    content.messageId(),
                    content.sessionId(),
                    content.partitionKey(),
                    headers != null && NUL.matcher(headers).find());
        }
    }

    private record Rule(String text, String sql, Predicate<Parts> broken) {}
}
