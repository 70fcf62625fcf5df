package dev.waybill.servicebus.embedded.fuzz;

import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnknownDescribedType;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;

/** Values of every type of AMQP, in places where nobody expects them. */
@SuppressWarnings("JavaUtilDate") // The AMQP codec knows timestamps as dates.
final class AnyAmqp {
    private AnyAmqp() {}

    static Arbitrary<Object> value() {
        return Arbitraries.recursive(
                AnyAmqp::scalar, inner -> Arbitraries.oneOf(inner, list(inner), map(inner), described(inner)), 0, 4);
    }

    private static Arbitrary<Object> scalar() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        true,
                        0,
                        -1,
                        Integer.MIN_VALUE,
                        Long.MAX_VALUE,
                        Long.MIN_VALUE,
                        (byte) -1,
                        (short) 7,
                        1.5f,
                        Double.NaN,
                        'x',
                        "",
                        "good",
                        "fuzzed/$management",
                        new UUID(0, 0),
                        new Date(Long.MAX_VALUE),
                        new Date(Long.MIN_VALUE),
                        new Binary(new byte[0]),
                        new Binary(new byte[300]),
                        Symbol.valueOf(""),
                        Symbol.valueOf("com.microsoft:session-filter"),
                        new Decimal128(1, 2),
                        UnsignedByte.valueOf((byte) -1),
                        UnsignedShort.valueOf((short) -1),
                        UnsignedInteger.MAX_VALUE,
                        UnsignedLong.valueOf(-1L),
                        new Object[] {"a", "b"},
                        new Long[] {1L, Long.MIN_VALUE},
                        new UUID[] {new UUID(3, 4)}),
                Arbitraries.strings().ofMaxLength(20).map(text -> (Object) text),
                Arbitraries.integers().map(number -> (Object) UnsignedInteger.valueOf(number)),
                Arbitraries.longs().map(number -> (Object) number));
    }

    private static Arbitrary<Object> list(Arbitrary<Object> inner) {
        return inner.list().ofMaxSize(4).map(items -> (Object) new ArrayList<>(items));
    }

    private static Arbitrary<Object> map(Arbitrary<Object> inner) {
        return Combinators.combine(inner.list().ofMaxSize(3), inner.list().ofMaxSize(3))
                .as((keys, values) -> {
                    Map<Object, Object> map = new HashMap<>();
                    for (int i = 0; i < Math.min(keys.size(), values.size()); i++) {
                        map.put(keys.get(i), values.get(i));
                    }
                    return map;
                });
    }

    private static Arbitrary<Object> described(Arbitrary<Object> inner) {
        Arbitrary<Object> descriptors = Arbitraries.oneOf(
                Arbitraries.longs().between(0x10, 0x18).map(UnsignedLong::valueOf),
                Arbitraries.longs().between(0x23, 0x36).map(UnsignedLong::valueOf),
                Arbitraries.longs().between(0x70, 0x78).map(UnsignedLong::valueOf),
                Arbitraries.of(Symbol.valueOf("amqp:accepted:list"), Symbol.valueOf("x"), "text", 5, List.of()));
        return Combinators.combine(descriptors, inner).as(UnknownDescribedType::new);
    }
}
