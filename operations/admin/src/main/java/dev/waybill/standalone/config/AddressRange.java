package dev.waybill.standalone.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** An IP address or a network such as {@code 10.0.0.0/8} or {@code fd00::/8}; {@code bits} is the prefix length. Immutable. */
public record AddressRange(InetAddress network, int bits) {
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern FORM =
            Pattern.compile(BYTE + "(\\." + BYTE + "){3}|(?=.*:)[0-9a-fA-F:]{2,39}(:[0-9]{1,3}(\\.[0-9]{1,3}){3})?");

    static AddressRange parse(String text) {
        String[] parts = text.split("/", 2);
        InetAddress address = address(parts[0])
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "', which is neither an IP address nor a network such as 10.0.0.0/8"));
        int most = address.getAddress().length * 8;
        int bits = parts.length == 1 ? most : bits(text, parts[1], most);
        var range = new AddressRange(address, bits);
        if (!range.isItsFirst()) {
            throw new IllegalArgumentException("'" + text + "', whose address has bits behind the first " + bits);
        }
        return range;
    }

    private static int bits(String text, String number, int most) {
        if (!number.matches("[1-9][0-9]{0,2}") || Integer.parseInt(number) > most) {
            throw new IllegalArgumentException("'" + text + "', which has no length from 1 to " + most);
        }
        return Integer.parseInt(number);
    }

    /** Parses a literal address; empty if the text is not one. Never queries a name server. */
    public static Optional<InetAddress> address(String text) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    public boolean contains(InetAddress address) {
        byte[] own = network.getAddress();
        byte[] other = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            if (bit(own, bit) != bit(other, bit)) {
                return false;
            }
        }
        return true;
    }

    // 10.1.2.3/8 is a typing error: it would trust all of 10.0.0.0/8.
    private boolean isItsFirst() {
        byte[] own = network.getAddress();
        for (int bit = bits; bit < own.length * 8; bit++) {
            if (bit(own, bit) != 0) {
                return false;
            }
        }
        return true;
    }

    private static int bit(byte[] bytes, int place) {
        return bytes[place / 8] >> (7 - place % 8) & 1;
    }
}
