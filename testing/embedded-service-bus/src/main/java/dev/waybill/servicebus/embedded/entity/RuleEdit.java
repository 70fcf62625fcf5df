package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.filter.EditedProperties;
import dev.waybill.servicebus.embedded.filter.SystemProperty;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.MessageEditor;
import dev.waybill.servicebus.embedded.message.UserValues;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

final class RuleEdit {
    private final EditedProperties edited;

    RuleEdit(EditedProperties edited) {
        this.edited = edited;
    }

    /** Unchanged properties keep their encoding. */
    Map<String, Object> userProperties(Map<String, Object> before) {
        Map<String, Object> after = new HashMap<>();
        edited.userProperties().forEach((name, value) -> {
            Object old = before.get(name);
            boolean untouched = old != null && UserValues.plain(old).equals(value);
            after.put(name, untouched ? old : UserValues.encodable(value));
        });
        return after;
    }

    BrokerMessage message(BrokerMessage original) {
        if (edited.systemChanges().isEmpty()) {
            return original;
        }
        MessageEditor editor = new MessageEditor(original);
        edited.systemChanges().forEach((property, value) -> set(editor, property, value));
        return editor.done();
    }

    private static void set(MessageEditor editor, SystemProperty property, @Nullable Object value) {
        String text = value == null ? null : value.toString();
        switch (property) {
            case CONTENT_TYPE -> editor.properties().setContentType(text == null ? null : Symbol.valueOf(text));
            case CORRELATION_ID -> editor.properties().setCorrelationId(text);
            case LABEL -> editor.properties().setSubject(text);
            case MESSAGE_ID -> editor.properties().setMessageId(text);
            case REPLY_TO -> editor.properties().setReplyTo(text);
            case REPLY_TO_SESSION_ID -> editor.properties().setReplyToGroupId(text);
            case SESSION_ID -> editor.properties().setGroupId(text);
            case TO -> editor.properties().setTo(text);
            case PARTITION_KEY -> editor.annotate(Symbol.valueOf("x-opt-partition-key"), text);
            case VIA_PARTITION_KEY -> editor.annotate(Symbol.valueOf("x-opt-via-partition-key"), text);
            case SCHEDULED_ENQUEUE_TIME -> editor.annotate(Symbol.valueOf("x-opt-scheduled-enqueue-time"), value);
            case TIME_TO_LIVE -> editor.timeToLive((Duration) value);
            default -> throw new IllegalArgumentException("Read-only: " + property);
        }
    }
}
