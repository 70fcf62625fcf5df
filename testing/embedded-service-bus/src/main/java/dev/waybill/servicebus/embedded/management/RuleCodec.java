package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.filter.CorrelationFilter;
import dev.waybill.servicebus.embedded.filter.FilterSyntaxException;
import dev.waybill.servicebus.embedded.filter.RuleFilter;
import dev.waybill.servicebus.embedded.filter.SqlAction;
import dev.waybill.servicebus.embedded.filter.SqlFilter;
import dev.waybill.servicebus.embedded.filter.SystemProperty;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.UserValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.jspecify.annotations.Nullable;

/** Rules in management requests (maps) and answers (described lists). */
final class RuleCodec {
    private static final UnsignedLong DESCRIPTION = UnsignedLong.valueOf(0x13700000004L);
    private static final UnsignedLong NO_ACTION = UnsignedLong.valueOf(0x13700000005L);
    private static final UnsignedLong SQL_ACTION = UnsignedLong.valueOf(0x13700000006L);
    private static final UnsignedLong SQL_FILTER = UnsignedLong.valueOf(0x1370000006L);
    private static final UnsignedLong TRUE_FILTER = UnsignedLong.valueOf(0x1370000007L);
    private static final UnsignedLong FALSE_FILTER = UnsignedLong.valueOf(0x1370000008L);
    private static final UnsignedLong CORRELATION_FILTER = UnsignedLong.valueOf(0x1370000009L);

    private static final List<SystemProperty> CORRELATION_FIELDS = List.of(
            SystemProperty.CORRELATION_ID,
            SystemProperty.MESSAGE_ID,
            SystemProperty.TO,
            SystemProperty.REPLY_TO,
            SystemProperty.LABEL,
            SystemProperty.SESSION_ID,
            SystemProperty.REPLY_TO_SESSION_ID,
            SystemProperty.CONTENT_TYPE);

    private RuleCodec() {}

    private record Described(Object descriptor, Object content) implements DescribedType {
        @Override
        public Object getDescriptor() {
            return descriptor;
        }

        @Override
        public Object getDescribed() {
            return content;
        }
    }

    static DescribedType encode(SubscriptionRule rule) {
        SqlAction action = rule.action();
        DescribedType encodedAction = action == null
                ? new Described(NO_ACTION, List.of())
                : new Described(SQL_ACTION, Arrays.asList(action.expression(), 20));
        return new Described(DESCRIPTION, List.of(encode(rule.filter()), encodedAction, rule.name()));
    }

    private static DescribedType encode(RuleFilter filter) {
        if (filter instanceof SqlFilter sql) {
            return new Described(SQL_FILTER, Arrays.asList(sql.expression(), 20));
        }
        if (filter instanceof CorrelationFilter correlation) {
            List<@Nullable Object> fields = new ArrayList<>();
            CORRELATION_FIELDS.forEach(
                    field -> fields.add(correlation.systemProperties().get(field)));
            Map<String, @Nullable Object> properties = new HashMap<>();
            correlation
                    .userProperties()
                    .forEach((name, value) -> properties.put(name, value == null ? null : UserValues.encodable(value)));
            fields.add(properties);
            return new Described(CORRELATION_FILTER, fields);
        }
        return new Described(filter == RuleFilter.all() ? TRUE_FILTER : FALSE_FILTER, List.of());
    }

    static SubscriptionRule decode(String name, Arguments description) {
        try {
            String action = description.map("sql-rule-action").text("expression");
            return new SubscriptionRule(name, filter(description), action == null ? null : SqlAction.parse(action));
        } catch (FilterSyntaxException | IllegalArgumentException | IllegalStateException e) {
            throw new Refused(BrokerError.ARGUMENT_ERROR, "The rule is not valid: " + e.getMessage());
        }
    }

    private static RuleFilter filter(Arguments description) {
        if (description.has("sql-filter")) {
            return SqlFilter.parse(description.map("sql-filter").requiredText("expression"));
        }
        if (description.has("correlation-filter")) {
            return correlation(description.map("correlation-filter"));
        }
        return description.has("false-filter") ? RuleFilter.none() : RuleFilter.all();
    }

    private static RuleFilter correlation(Arguments fields) {
        CorrelationFilter.Builder builder = CorrelationFilter.builder()
                .correlationId(fields.text("correlation-id"))
                .messageId(fields.text("message-id"))
                .to(fields.text("to"))
                .replyTo(fields.text("reply-to"))
                .label(fields.text("label"))
                .sessionId(fields.text("session-id"))
                .replyToSessionId(fields.text("reply-to-session-id"))
                .contentType(fields.text("content-type"));
        fields.nullableProperties("properties")
                .forEach((name, value) -> builder.property(name, value == null ? null : UserValues.plain(value)));
        return builder.build();
    }
}
