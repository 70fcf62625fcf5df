package dev.waybill.test.proof;

import dev.waybill.inbox.InboundMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

final class Redelivered {
    private Redelivered() {}

    static InboundMessage of(InboundMessage message, int before) {
        if (before == 0) {
            return message;
        }
        return (InboundMessage) Proxy.newProxyInstance(
                Redelivered.class.getClassLoader(),
                new Class<?>[] {InboundMessage.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("deliveryCount")) {
                        return message.deliveryCount() + before;
                    }
                    try {
                        return method.invoke(message, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
