package dev.waybill.message;

import java.util.Locale;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * How Service Bus compares names: session ids, entities, subscriptions, rules and application properties, all without regard to
 * case. It may even return a session id in another case than it was sent in (Azure/durabletask pull request 1334,
 * azure-sdk-for-java pull request 48759). Message ids keep their case.
 *
 * <p>Waybill folds the letters A to Z alone, because Java and PostgreSQL of every locale must find the same keys: {@link #key} here,
 * {@code lower(session_id collate "C")} in statements. The outbox accepts no session with other upper-case letters.
 */
public final class BrokerNames {
    private BrokerNames() {}

    /** Equal for names that Service Bus takes for one. */
    public static String key(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (isUpper(name.charAt(i))) {
                return folded(name, i);
            }
        }
        return name;
    }

    public static @Nullable String keyOrNull(@Nullable String name) {
        return name == null ? null : key(name);
    }

    /** The key of a column's name. */
    public static Field<String> key(Field<String> name) {
        return DSL.field("lower({0} collate \"C\")", SQLDataType.CLOB, name);
    }

    public static boolean same(@Nullable String one, @Nullable String other) {
        return Objects.equals(keyOrNull(one), keyOrNull(other));
    }

    /** Whether a name has an upper-case letter that {@link #key} keeps and Service Bus folds. */
    public static boolean hasUnfoldedLetters(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) > 'z') {
                String rest = name.substring(i);
                return !key(rest).equals(rest.toLowerCase(Locale.ROOT));
            }
        }
        return false;
    }

    private static String folded(String name, int from) {
        char[] letters = name.toCharArray();
        for (int i = from; i < letters.length; i++) {
            if (isUpper(letters[i])) {
                letters[i] = (char) (letters[i] - 'A' + 'a');
            }
        }
        return new String(letters);
    }

    private static boolean isUpper(char letter) {
        return letter >= 'A' && letter <= 'Z';
    }
}
