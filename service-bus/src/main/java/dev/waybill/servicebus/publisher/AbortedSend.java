package dev.waybill.servicebus.publisher;

import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * An {@link Error}, such as a lack of memory, has aborted a send; no message is at fault. Reactor rethrows fatal errors and
 * ends the thread of the connection or of all encoding, so senders would only see a timeout.
 */
final class AbortedSend extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private AbortedSend(Error cause) {
        super("The send was aborted: " + cause, cause);
    }

    /** Converts fatal errors of a step to failures. */
    static <T> Mono<T> caught(Supplier<Mono<T>> step) {
        try {
            return step.get();
        } catch (VirtualMachineError | LinkageError e) {
            return Mono.error(new AbortedSend(e));
        }
    }

    /** As {@link #caught}, for errors at the subscription. */
    static <T> Mono<T> caughtWhenAsked(Mono<T> step) {
        return Mono.create(sink -> {
            try {
                sink.onDispose(step.subscribe(sink::success, sink::error, sink::success));
            } catch (VirtualMachineError | LinkageError e) {
                sink.error(new AbortedSend(e));
            }
        });
    }
}
