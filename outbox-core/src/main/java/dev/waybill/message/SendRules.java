package dev.waybill.message;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
                    "position('\\u0000' in headers) > 0",
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
        for (Rule rule : RULES) {
            if (rule.broken.test(message)) {
                return rule.text;
            }
        }
        return null;
    }

    /** The first limit of a message that is broken, as a predicate; null if Service Bus and the outbox take it. */
    public static @Nullable String violation(MessageContent content) {
        @Nullable String broken = violation(Parts.of(content));
        if (broken != null) {
            return broken;
        }
        try {
            return ofFields(content, content.properties());
        } catch (IllegalArgumentException e) {
            return "has headers that cannot be read: " + e.getMessage();
        }
    }

    /** As {@link #violation(MessageContent)}, with properties that are not encoded yet. */
    public static @Nullable String violation(MessageContent content, Map<String, Object> properties) {
        @Nullable String broken = violation(new Parts(content.messageId(), content.sessionId(), content.partitionKey(), false));
        return broken != null ? broken : ofFields(content, properties);
    }

    /**
     * What the edit of a message breaks. A message of a foreign sender may be beyond what Waybill appends, and was sent nevertheless.
     */
    public static @Nullable String violation(MessageContent old, MessageContent changed) {
        @Nullable String broken = violation(changed);
        @Nullable String before = violation(old);
        if (broken == null && before == null && !own(old).equals(own(changed))) {
            return "changes the headers that Waybill itself sets: " + own(changed) + " instead of " + own(old);
        }
        return Objects.equals(broken, before) ? null : broken;
    }

    private static String own(MessageContent content) {
        var own = new TreeMap<>(content.properties());
        own.keySet().removeIf(name -> !WireContract.isReserved(name));
        return Headers.write(own);
    }

    private static @Nullable String ofFields(MessageContent content, Map<String, Object> properties) {
        @Nullable String broken = ofTexts(content);
        if (broken == null) {
            broken = ofSession(content.sessionId());
        }
        if (broken == null) {
            broken = ofReplyToSession(content.replyToSessionId());
        }
        if (broken == null) {
            broken = TimeRules.violation("scheduled enqueue time", content.scheduledEnqueueTime());
        }
        if (broken == null) {
            broken = TimeRules.ofTimeToLive(content.timeToLive());
        }
        if (broken == null) {
            broken = PropertyRules.violation(properties);
        }
        return broken != null ? broken : PropertyRules.ofAll(propertyBytes(content, properties));
    }

    private static @Nullable String ofTexts(MessageContent content) {
        @Nullable String[] texts = texts(content);
        for (int i = 0; i < texts.length; i++) {
            @Nullable String broken = TextRules.violation(FIELDS[i], texts[i]);
            if (broken != null) {
                return broken;
            }
        }
        return null;
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
        private static final String NUL = "\\u0000";

        public static Parts of(MessageContent content) {
            String headers = content.headers();
            return new Parts(
                    content.messageId(),
                    content.sessionId(),
                    content.partitionKey(),
                    headers != null && headers.contains(NUL));
        }
    }

    private record Rule(String text, String sql, Predicate<Parts> broken) {}
}
