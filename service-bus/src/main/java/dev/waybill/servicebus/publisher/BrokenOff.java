package dev.waybill.servicebus.publisher;

import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * An {@link Error} has broken off a step of a send. It may be anybody's, such as a lack of memory; no message is to blame.
 * Errors that Reactor calls fatal pass up the stack and end the thread: the only one of a connection, or that of all
 * encoding. Nobody would hear of them before the deadline.
 */
final class BrokenOff extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private BrokenOff(Error cause) {
        super("The send was broken off: " + cause, cause);
    }

    /** The same step; what would end the thread is a failure of it. */
    static <T> Mono<T> caught(Supplier<Mono<T>> step) {
        try {
            return step.get();
        } catch (VirtualMachineError | LinkageError e) {
            return Mono.error(new BrokenOff(e));
        }
    }

    /** The same for what a step does when it is subscribed to. */
    static <T> Mono<T> caughtWhenAsked(Mono<T> step) {
        return Mono.create(sink -> {
            try {
                sink.onDispose(step.subscribe(sink::success, sink::error, sink::success));
            } catch (VirtualMachineError | LinkageError e) {
                sink.error(new BrokenOff(e));
            }
        });
    }
}
