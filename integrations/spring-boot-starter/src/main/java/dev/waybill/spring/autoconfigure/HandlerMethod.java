package dev.waybill.spring.autoconfigure;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.spring.BodyConverter;
import dev.waybill.spring.bodies.MessageTypes;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/** A bean's method as a handler. Immutable; as thread-safe as its bean. */
final class HandlerMethod implements Handler {
    private final Object bean;
    private final Method method;
    private final Argument[] arguments;
    private final boolean decides;

    private HandlerMethod(Object bean, Method method, Argument[] arguments) {
        this.bean = bean;
        this.method = method;
        this.arguments = arguments;
        decides = method.getReturnType() == Verdict.class;
    }

    /** Where an argument comes from. */
    private interface Argument {
        @Nullable Object of(InboundMessage message);
    }

    /**
     * Looks at the method.
     *
     * @param bodies asked for if the method takes an object
     * @throws IllegalStateException if it cannot be a handler, and why
     */
    static HandlerMethod of(Object bean, Method method, Supplier<BodyConverter> bodies) {
        require(method, !Modifier.isStatic(method.getModifiers()), "must not be static");
        require(
                method,
                method.getReturnType() == void.class || method.getReturnType() == Verdict.class,
                "has to return void or Verdict, and returns "
                        + method.getReturnType().getSimpleName()
                        + "; what is still to come when it returns would happen after the commit");
        require(
                method,
                !AopUtils.isCglibProxy(bean) || isIn(bean.getClass(), method),
                "is not reached through the proxy of its bean; make it public, and not final");
        require(
                method,
                !isAsynchronous(method)
                        && !isAsynchronous(method.getDeclaringClass())
                        && !isAsynchronous(AopUtils.getTargetClass(bean)),
                "must not be @Async: it would go on after the commit, and nobody would hear of its failure");
        Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(invocable);
        return new HandlerMethod(bean, invocable, arguments(method, bodies));
    }

    // A method that a proxy does not override would run on the proxy itself, whose fields are empty.
    private static boolean isIn(Class<?> proxy, Method method) {
        return Arrays.stream(proxy.getDeclaredMethods())
                .anyMatch(own -> own.getName().equals(method.getName())
                        && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }

    // Spring takes the annotation from interfaces and from methods that are overridden, too.
    private static boolean isAsynchronous(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                .isPresent("org.springframework.scheduling.annotation.Async");
    }

    private static Argument[] arguments(Method method, Supplier<BodyConverter> bodies) {
        Type[] types = method.getGenericParameterTypes();
        var arguments = new Argument[types.length];
        int messages = 0;
        for (int i = 0; i < types.length; i++) {
            messages += types[i] == InboundMessage.class ? 1 : 0;
            arguments[i] = argument(method, types[i], bodies);
        }
        require(
                method,
                types.length >= 1 && messages <= 1 && types.length - messages <= 1,
                "takes an InboundMessage, one body, or both, and has " + types.length + " parameters");
        return arguments;
    }

    private static Argument argument(Method method, Type type, Supplier<BodyConverter> bodies) {
        if (type == InboundMessage.class) {
            return message -> message;
        }
        if (type == String.class) {
            return InboundMessage::text;
        }
        if (type == byte[].class) {
            return InboundMessage::body;
        }
        require(
                method,
                !(type instanceof Class<?> raw) || !raw.isPrimitive(),
                "takes a body as a String, as a byte[], or as an object, not as " + type.getTypeName());
        BodyConverter converter;
        try {
            converter = bodies.get();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "@InboxHandler " + name(method) + " takes an object. "
                            + NestedExceptionUtils.getMostSpecificCause(e).getMessage(),
                    e);
        }
        return message -> converter.read(message, type);
    }

    /** The subjects of the type that the method takes, if the type has a name; else none. */
    List<String> subjects() {
        return Arrays.stream(method.getParameterTypes())
                .flatMap(type -> MessageTypes.handled(type).stream())
                .toList();
    }

    @Override
    public Verdict handle(DSLContext tx, InboundMessage message) throws Exception {
        var values = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            Object value;
            try {
                value = arguments[i].of(message);
            } catch (UnreadableBodyException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                return Verdict.deadLetter(cause.getClass().getName(), String.valueOf(cause.getMessage()));
            }
            if (value == null) {
                return Verdict.deadLetter("EmptyBody", "The body is JSON's null, which " + this + " does not take");
            }
            values[i] = value;
        }
        return verdict(invoke(values));
    }

    private @Nullable Object invoke(Object[] values) throws Exception {
        try {
            return method.invoke(bean, values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }

    private Verdict verdict(@Nullable Object returned) {
        if (!decides) {
            return Verdict.done();
        }
        if (returned instanceof Verdict verdict) {
            return verdict;
        }
        throw new IllegalStateException(this + " has returned null instead of a Verdict");
    }

    @Override
    public String toString() {
        return name(method);
    }

    static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private static void require(Method method, boolean condition, String otherwise) {
        if (!condition) {
            throw refused(method, otherwise);
        }
    }

    private static IllegalStateException refused(Method method, String why) {
        return new IllegalStateException("@InboxHandler " + name(method) + " " + why);
    }
}
