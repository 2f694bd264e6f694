# A page of the manual from docs/commands.md.
BEGIN {
    printf ".TH MANAFOLD\\-COMMANDS 7 \"\" \"Manafold %s\" \"Manafold\"\n", version
    print ".SH NAME\nmanafold\\-commands \\- what can be typed at the prompt of manafold(1), or after \\-c"
}

function plain(text) {
    gsub(/\\\|/, "|", text)
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) {
        text = "\\&" text
    }
    return text
}

# code between backticks is bold
function words(text,    out, part, count, i) {
    count = split(text, part, "`")
    out = ""
    for (i = 1; i <= count; i++) {
        out = out (i % 2 ? plain(part[i]) : "\\fB" plain(part[i]) "\\fR")
    }
    return out
}

/^```/ {
    code = !code
    print code ? ".PP\n.nf\n.RS 2" : ".RE\n.fi"
    next
}
code { print plain($0); next }
/^# / { next }
/^## / { print ".SH " toupper(plain(substr($0, 4))); next }
/^### / { print ".SS " plain(substr($0, 5)); next }
/^#### / { print ".PP\n\\fB" plain(substr($0, 6)) "\\fR"; next }
/^\|[ |-]*\|$/ || /^\| Example \|/ { next }
/^\| / {
    row = substr($0, 3, length($0) - 4)
    at = index(row, "` | ")
    if (at > 0) {
        print ".TP\n" words(substr(row, 1, at)) "\n" words(substr(row, at + 4))
    }
    next
}
/^$/ { print ".PP"; next }
{ print words($0) }
