// What ptxas refuses of hundreds of forms is refused in its words, and nothing else is: forms.txt has its answers.
// TEST: forms of operands and roundings
// RUN: python3 $folder/forms.py $work
// MATCHES: ^[0-9]* forms$
// TEST: the forms' answers are those of ptxas
// SKIPS: no ptxas to compare
// RUN: PATH=$PATH:/usr/local/cuda/bin python3 $folder/forms.py $work --ptxas
// MATCHES: ^[0-9]* forms$
