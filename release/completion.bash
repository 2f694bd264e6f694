# Completion of manafold for bash. Sourced by name, or by hand.
_manafold() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $before in
        --data)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            ;;
        --lab | run)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            ;;
        --report) mapfile -t COMPREPLY < <(compgen -W "junit tap" -- "$word") ;;
        junit | tap)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            ;;
        -c) mapfile -t COMPREPLY < <(compgen -W "@COMMANDS@" -- "$word") ;;
        *)
            local words="@WORDS@"
            [[ ${COMP_WORDS[1]} != attach || $COMP_CWORD -lt 2 ]] || words="@ATTACHED@"
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
            ;;
    esac
}
complete -F _manafold manafold
