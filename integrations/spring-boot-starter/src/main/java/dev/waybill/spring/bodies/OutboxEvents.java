package dev.waybill.spring.bodies;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.OutboxEvent;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.ConcurrentReferenceHashMap;

/** Appends events with {@link OutboxEvent} in the transaction of their publisher. Thread-safe. */
public final class OutboxEvents implements ApplicationListener<PayloadApplicationEvent<?>> {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<Outbox> outbox;
    private final Map<Class<?>, Optional<Appended>> types = new ConcurrentReferenceHashMap<>();

    /** @param outbox looked for with the first event that is appended */
    public OutboxEvents(ConfigurableListableBeanFactory beans, ObjectProvider<Outbox> outbox) {
        this.beans = beans;
        this.outbox = outbox;
    }

    /** How events of a class become messages. */
    private record Appended(
            Class<?> type,
            String destination,
            Expression id,
            @Nullable Expression session) {
        OutboxMessage message(Outbox outbox, Object event) {
            var message = outbox.message(destination).id(value("id", id, event)).body(event);
            if (session != null) {
                message.session(value("session", session, event));
            }
            return message.build();
        }

        private String value(String what, Expression expression, Object event) {
            var context = SimpleEvaluationContext.forReadOnlyDataBinding()
                    .withInstanceMethods()
                    .build();
            try {
                @Nullable Object value = expression.getValue(context, event);
                if (value != null) {
                    return value.toString();
                }
            } catch (EvaluationException e) {
                throw new IllegalStateException(refusal(what, expression) + " fails: " + e.getMessage(), e);
            }
            throw new IllegalStateException(refusal(what, expression) + " is null");
        }

        private String refusal(String what, Expression expression) {
            return OutboxEvents.refusal(type, what, expression.getExpressionString());
        }
    }

    @Override
    public void onApplicationEvent(PayloadApplicationEvent<?> published) {
        Object event = published.getPayload();
        types.computeIfAbsent(event.getClass(), this::look).ifPresent(appended -> {
            Outbox to = outbox.getObject();
            to.append(appended.message(to, event));
        });
    }

    /** The publisher's thread has the transaction. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    private Optional<Appended> look(Class<?> type) {
        @Nullable OutboxEvent annotation = AnnotationUtils.findAnnotation(type, OutboxEvent.class);
        if (annotation == null) {
            return Optional.empty();
        }
        @Nullable String destination = beans.resolveEmbeddedValue(annotation.destination());
        return Optional.of(new Appended(
                type,
                destination == null ? "" : destination,
                expression(type, "id", annotation.id()),
                annotation.session().isEmpty() ? null : expression(type, "session", annotation.session())));
    }

    private static Expression expression(Class<?> type, String what, String text) {
        try {
            return PARSER.parseExpression(text);
        } catch (ParseException | IllegalArgumentException e) {
            throw new IllegalStateException(refusal(type, what, text) + " is no expression: " + e.getMessage(), e);
        }
    }

    private static String refusal(Class<?> type, String what, String text) {
        return "@OutboxEvent of " + type.getName() + ": its " + what + " '" + text + "'";
    }
}
