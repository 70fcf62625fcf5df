package dev.waybill.servicebus.embedded.emulator;

import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.filter.CorrelationFilter;
import dev.waybill.servicebus.embedded.filter.FilterSyntaxException;
import dev.waybill.servicebus.embedded.filter.RuleFilter;
import dev.waybill.servicebus.embedded.filter.SqlAction;
import dev.waybill.servicebus.embedded.filter.SqlFilter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class RuleConfig {
    private RuleConfig() {}

    static SubscriptionRule read(ConfigNode rule) {
        String name = rule.requiredText("Name");
        ConfigNode properties = rule.object("Properties");
        rule.finished();
        if (properties == null) {
            return new SubscriptionRule(name, RuleFilter.all(), null);
        }
        try {
            SubscriptionRule read = new SubscriptionRule(name, filter(properties), action(properties));
            properties.finished();
            return read;
        } catch (FilterSyntaxException | IllegalArgumentException | IllegalStateException e) {
            throw new ConfigException(properties.place() + ": " + e.getMessage(), e);
        }
    }

    private static RuleFilter filter(ConfigNode properties) {
        String type = properties.text("FilterType");
        ConfigNode sql = properties.object("SqlFilter");
        ConfigNode correlation = properties.object("CorrelationFilter");
        boolean isSql = "Sql".equalsIgnoreCase(type) || (type == null && sql != null);
        if (isSql && sql != null) {
            SqlFilter filter = SqlFilter.parse(sql.requiredText("SqlExpression"));
            sql.finished();
            return filter;
        }
        if (correlation == null) {
            throw new ConfigException(properties.place() + " has no filter of type " + type);
        }
        return correlation(correlation);
    }

    private static @Nullable SqlAction action(ConfigNode properties) {
        ConfigNode action = properties.object("Action");
        if (action == null) {
            return null;
        }
        SqlAction parsed = SqlAction.parse(action.requiredText("SqlExpression"));
        action.finished();
        return parsed;
    }

    private static RuleFilter correlation(ConfigNode fields) {
        CorrelationFilter.Builder builder = CorrelationFilter.builder()
                .contentType(fields.text("ContentType"))
                .correlationId(fields.text("CorrelationId"))
                .label(fields.text("Label"))
                .messageId(fields.text("MessageId"))
                .replyTo(fields.text("ReplyTo"))
                .replyToSessionId(fields.text("ReplyToSessionId"))
                .sessionId(fields.text("SessionId"))
                .to(fields.text("To"));
        ConfigNode properties = fields.object("Properties");
        Map<?, ?> values = properties == null ? Map.of() : properties.values();
        values.forEach((name, value) -> builder.property(String.valueOf(name), value));
        fields.finished();
        return builder.build();
    }
}
