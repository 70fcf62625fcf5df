package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.config.XmlDuration;
import dev.waybill.servicebus.embedded.filter.CorrelationFilter;
import dev.waybill.servicebus.embedded.filter.RuleFilter;
import dev.waybill.servicebus.embedded.filter.SqlAction;
import dev.waybill.servicebus.embedded.filter.SqlFilter;
import dev.waybill.servicebus.embedded.filter.SystemProperty;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

final class RuleXml {
    private static final String SCHEMA = "http://www.w3.org/2001/XMLSchema";
    private static final String SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/";
    private static final Pattern ZONE = Pattern.compile("(Z|[+-]\\d\\d:\\d\\d)$");

    private RuleXml() {}

    static SubscriptionRule read(String name, XmlElement description) {
        XmlElement filter = description.find("Filter");
        XmlElement action = description.find("Action");
        String sql = action == null ? null : action.text("SqlExpression");
        return new SubscriptionRule(
                name,
                filter == null ? RuleFilter.all() : filter(filter),
                sql == null || action == null ? null : SqlAction.parse(sql, parameters(action.find("Parameters"))));
    }

    private static RuleFilter filter(XmlElement filter) {
        String sql = filter.text("SqlExpression");
        return switch (filter.type()) {
            case "TrueFilter" -> RuleFilter.all();
            case "FalseFilter" -> RuleFilter.none();
            case "CorrelationFilter" -> correlation(filter);
            default -> SqlFilter.parse(sql == null ? "" : sql, parameters(filter.find("Parameters")));
        };
    }

    private static RuleFilter correlation(XmlElement filter) {
        CorrelationFilter.Builder builder = CorrelationFilter.builder()
                .correlationId(filter.text("CorrelationId"))
                .messageId(filter.text("MessageId"))
                .to(filter.text("To"))
                .replyTo(filter.text("ReplyTo"))
                .label(filter.text("Label"))
                .sessionId(filter.text("SessionId"))
                .replyToSessionId(filter.text("ReplyToSessionId"))
                .contentType(filter.text("ContentType"));
        properties(filter.find("Properties")).forEach(builder::property);
        return builder.build();
    }

    private static Map<String, Object> parameters(@Nullable XmlElement list) {
        Map<String, Object> values = new LinkedHashMap<>();
        properties(list).forEach((name, value) -> {
            if (value != null) {
                values.put(name, value);
            }
        });
        return values;
    }

    private static Map<String, @Nullable Object> properties(@Nullable XmlElement list) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        if (list != null) {
            for (XmlElement pair : list.children()) {
                XmlElement value = pair.find("Value");
                String key = pair.text("Key");
                if (key != null && value != null) {
                    values.put(key, value.isNil() ? null : value(value.type(), value.text()));
                }
            }
        }
        return values;
    }

    private static Object value(String type, String text) {
        return switch (type) {
            case "int" -> Integer.valueOf(text);
            case "long" -> Long.valueOf(text);
            case "double" -> Double.valueOf(text);
            case "boolean" -> Boolean.valueOf(text);
            case "dateTime" -> moment(text);
            case "duration" -> XmlDuration.parse(text);
            default -> text;
        };
    }

    // Clients without time zones omit them and mean UTC.
    private static Instant moment(String text) {
        return ZONE.matcher(text).find()
                ? OffsetDateTime.parse(text).toInstant()
                : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    }

    static String write(SubscriptionRule rule, Instant created) {
        XmlText xml = new XmlText().openDescription("RuleDescription");
        writeFilter(xml, rule.filter());
        SqlAction action = rule.action();
        if (action == null) {
            xml.open("Action", "i:type=\"EmptyRuleAction\"").close("Action");
        } else {
            xml.open("Action", "i:type=\"SqlRuleAction\"").element("SqlExpression", action.expression());
            xml.element("CompatibilityLevel", 20);
            writeParameters(xml, "Parameters", action.parameters());
            xml.close("Action");
        }
        return xml.element("CreatedAt", created)
                .element("Name", rule.name())
                .close("RuleDescription")
                .toString();
    }

    private static void writeFilter(XmlText xml, RuleFilter filter) {
        if (filter instanceof CorrelationFilter correlation) {
            xml.open("Filter", "i:type=\"CorrelationFilter\"");
            correlation.systemProperties().forEach((property, value) -> xml.element(element(property), value));
            writeParameters(xml, "Properties", correlation.userProperties());
        } else if (filter instanceof SqlFilter sql) {
            xml.open("Filter", "i:type=\"SqlFilter\"").element("SqlExpression", sql.expression());
            xml.element("CompatibilityLevel", 20);
            writeParameters(xml, "Parameters", sql.parameters());
        } else {
            boolean all = filter == RuleFilter.all();
            xml.open("Filter", all ? "i:type=\"TrueFilter\"" : "i:type=\"FalseFilter\"");
            xml.element("SqlExpression", all ? "1=1" : "1=0").element("CompatibilityLevel", 20);
        }
        xml.close("Filter");
    }

    private static String element(SystemProperty property) {
        return property.propertyName();
    }

    private static void writeParameters(XmlText xml, String name, Map<String, ? extends @Nullable Object> values) {
        if (values.isEmpty()) {
            return;
        }
        xml.open(name, "");
        values.forEach((key, value) -> {
            xml.open("KeyValueOfstringanyType", "").element("Key", key);
            writeValue(xml, value);
            xml.close("KeyValueOfstringanyType");
        });
        xml.close(name);
    }

    private static void writeValue(XmlText xml, @Nullable Object value) {
        if (value == null) {
            xml.open("Value", "i:nil=\"true\"").close("Value");
            return;
        }
        String types = value instanceof Duration ? SERIALIZATION : SCHEMA;
        xml.open("Value", "i:type=\"d6p1:" + type(value) + "\" xmlns:d6p1=\"" + types + "\"");
        xml.escape(String.valueOf(value)).close("Value");
    }

    private static String type(Object value) {
        if (value instanceof Integer) {
            return "int";
        }
        if (value instanceof Long) {
            return "long";
        }
        if (value instanceof Double) {
            return "double";
        }
        if (value instanceof Instant) {
            return "dateTime";
        }
        if (value instanceof Duration) {
            return "duration";
        }
        return value instanceof Boolean ? "boolean" : "string";
    }
}
