package dev.waybill.spring.bodies;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.OutboxEvent;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ObjectUtils;

/** Appends events with {@link OutboxEvent} in the transaction of their publisher. Thread-safe. */
public final class OutboxEvents implements ApplicationListener<ApplicationEvent> {
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
                @Nullable Object value = ObjectUtils.unwrapOptional(expression.getValue(context, event));
                if (value != null) {
                    return text(what, expression, new ExpressionState(context, new TypedValue(event)), value);
                }
            } catch (EvaluationException e) {
                throw new IllegalStateException(refusal(what, expression) + " fails: " + e.getMessage(), e);
            }
            throw new IllegalStateException(refusal(what, expression) + " is null");
        }

        // Either would make one id or session of many, or many of one.
        private String text(String what, Expression expression, ExpressionState event, Object value) {
            String text = value.toString();
            if (text.equals(value.getClass().getName() + "@" + Integer.toHexString(value.hashCode()))) {
                throw new IllegalStateException(refusal(what, expression) + " is an object without a text: " + text);
            }
            if (text.contains("null") && addsNull(((SpelExpression) expression).getAST(), event)) {
                throw new IllegalStateException(refusal(what, expression) + " adds null, and is '" + text + "'");
            }
            return text;
        }

        private String refusal(String what, Expression expression) {
            return OutboxEvents.refusal(type, what, expression.getExpressionString());
        }
    }

    @Override
    public void onApplicationEvent(ApplicationEvent published) {
        Object event = published instanceof PayloadApplicationEvent<?> plain ? plain.getPayload() : published;
        types.computeIfAbsent(event.getClass(), this::look).ifPresent(appended -> {
            Outbox to = outbox.getObject();
            to.append(appended.message(to, event));
        });
    }

    // SpEL adds a text and null to a text that ends with "null".
    private static boolean addsNull(SpelNode node, ExpressionState event) {
        if (!(node instanceof OpPlus)) {
            return false;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode operand = node.getChild(i);
            if (operand.getValue(event) == null || addsNull(operand, event)) {
                return true;
            }
        }
        return false;
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
        if (ApplicationEvent.class.isAssignableFrom(type)) {
            throw new IllegalStateException("@OutboxEvent of " + type.getName()
                    + ": it is an ApplicationEvent, whose source would be in the body; make it a class of its own");
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
