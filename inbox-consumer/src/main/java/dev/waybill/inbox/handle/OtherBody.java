package dev.waybill.inbox.handle;

import dev.waybill.inbox.InboundMessage;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A message with another body than the received one. */
final class OtherBody {
    private OtherBody() {}

    /** Delegates every other method to the message. */
    static InboundMessage of(InboundMessage message, Supplier<byte[]> body) {
        return (InboundMessage) Proxy.newProxyInstance(
                InboundMessage.class.getClassLoader(),
                new Class<?>[] {InboundMessage.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "body" -> body.get();
                    case "text" -> InvocationHandler.invokeDefault(proxy, method);
                    default -> ask(message, method, arguments);
                });
    }

    private static Object ask(InboundMessage message, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(message, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
