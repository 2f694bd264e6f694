package io.manafold.launcher.internal.lines;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/**
 * Divides a line for completion only, at what divides words and commands in the shell; quotes stay with their word, as
 * what the shell completes comes with its quotes. It never asks for another line.
 */
final class WordParser implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        List<String> words = new ArrayList<>();
        int wordIndex = 0;
        int wordCursor = 0;
        int at = 0;
        while (at <= line.length()) {
            int end = endOfWord(line, at);
            boolean here = cursor >= at && cursor <= end;
            if (here) {
                wordIndex = words.size();
                wordCursor = cursor - at;
            }
            if (end > at || here) {
                words.add(line.substring(at, end));
            }
            at = end + 1;
        }
        return new Words(line, cursor, words, wordIndex, wordCursor);
    }

    private static int endOfWord(String line, int start) {
        char quote = 0;
        int at = start;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (Character.isWhitespace(c) || c == ';' || c == '|') {
                break;
            }
            at++;
        }
        return at;
    }

    private record Words(String line, int cursor, List<String> words, int wordIndex, int wordCursor)
            implements CompletingParsedLine {
        @Override
        public String word() {
            return words.get(wordIndex);
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return wordCursor;
        }

        @Override
        public int rawWordLength() {
            return word().length();
        }
    }
}
