package dev.waybill.modulith;

import static org.springframework.expression.ParserContext.TEMPLATE_EXPRESSION;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.bodies.MessageTypes;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;

/**
 * Appends externalized events: the target is the destination, the key the session, Modulith's headers are headers. An event has no
 * business key, so each publication gets an id of its own. Thread-safe.
 */
final class OutboxExternalizer implements ApplicationListener<ApplicationEvent> {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final EventExternalizationConfiguration externalized;
    private final EvaluationContext expressions;
    private final ObjectProvider<Outbox> outbox;

    OutboxExternalizer(
            EventExternalizationConfiguration externalized,
            EvaluationContext expressions,
            ObjectProvider<Outbox> outbox) {
        this.externalized = externalized;
        this.expressions = expressions;
        this.outbox = outbox;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent published) {
        Object event = published instanceof PayloadApplicationEvent<?> plain ? plain.getPayload() : published;
        if (externalized.supports(event)) {
            Outbox to = outbox.getObject();
            to.append(message(to, event));
        }
    }

    /** The publisher's thread has the transaction. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    private OutboxMessage message(Outbox to, Object event) {
        RoutingTarget target = externalized.determineTarget(event);
        OutboxMessage.Builder message = to.message(resolved(target.getTarget(), event))
                .id(UUID.randomUUID().toString())
                .body(externalized.map(event));
        @Nullable String type = MessageTypes.subject(event.getClass());
        if (type != null) {
            message.subject(type);
        }
        if (target.getKey() != null && !target.getKey().isEmpty()) {
            message.session(resolved(target.getKey(), event));
        }
        externalized.getHeadersFor(event).forEach((name, value) -> add(message, name, value));
        return message.build();
    }

    private String resolved(String text, Object event) {
        @Nullable String value = PARSER.parseExpression(text, TEMPLATE_EXPRESSION).getValue(expressions, event, String.class);
        if (value == null) {
            throw new IllegalStateException(
                    "@Externalized of " + event.getClass().getName() + ": '" + text + "' is null");
        }
        return value;
    }

    private static void add(OutboxMessage.Builder message, String name, Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            message.header(name, ((Number) value).longValue());
        } else if (value instanceof Double || value instanceof Float) {
            message.header(name, ((Number) value).doubleValue());
        } else if (value instanceof Boolean flag) {
            message.header(name, flag);
        } else if (value instanceof Instant time) {
            message.header(name, time);
        } else if (value instanceof UUID id) {
            message.header(name, id);
        } else {
            message.header(name, value.toString());
        }
    }
}
